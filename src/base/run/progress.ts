/** Reports the progress of a run. */
export interface Progress {
  /** Called when more bytes of the inputs, as stored, were read. `records` is the number of records checked so far. */
  read(bytes: number, records: number): void;
  /** Called after all inputs are read, while scattered rollouts are rebuilt: `records` of `total` are done. */
  rebuilt(records: number, total: number): void;
  /** Clears the progress line. */
  stop(): void;
}

export const SILENT: Progress = { read() {}, rebuilt() {}, stop() {} };

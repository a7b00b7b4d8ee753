/** Notes what goes wrong with an output stream, which would otherwise end the process with a trace. */
export interface OutputWatch {
  /** Waits until everything is written; what went wrong, undefined when nothing did. */
  settle(): Promise<Error | undefined>;
}

/** From now on an error of `stream` is kept instead of thrown. */
export function watchOutput(stream: NodeJS.WritableStream): OutputWatch {
  let failure: Error | undefined;
  stream.on("error", (error: Error) => {
    failure ??= error;
  });
  return {
    async settle() {
      await new Promise<void>((resolve) => {
        stream.write("", () => resolve());
      });
      return failure;
    },
  };
}

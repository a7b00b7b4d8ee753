/** Those who wait for something to become true. */
export class Waiters {
  readonly #checks = new Set<() => void>();

  /** To be called whenever something has changed that somebody may wait for. */
  notify(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Resolves once `isOver`, at the latest after the limit; keeps the process alive meanwhile. */
  until(isOver: () => boolean, limitMs: number): Promise<void> {
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (isOver()) end();
      };
      const end = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      this.#checks.add(check);
    });
  }
}

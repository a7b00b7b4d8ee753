/** A condition variable: callers wait until a condition is true, and are notified when to check again. */
export class Condition {
  readonly #checks = new Set<() => void>();

  /** Call this after every change that somebody may wait for. */
  notify(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Resolves once `isTrue`, or after `limitMs`. Keeps the process alive meanwhile. */
  until(isTrue: () => boolean, limitMs: number): Promise<void> {
    if (isTrue()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (isTrue()) end();
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

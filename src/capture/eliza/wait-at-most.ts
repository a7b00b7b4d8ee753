/** Waits for a promise, `ms` milliseconds at the most; the wait alone keeps no process alive. Rejects as it does. */
export async function waitAtMost(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

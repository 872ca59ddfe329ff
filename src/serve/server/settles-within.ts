/** Waits for a promise, but no longer than `ms`. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}

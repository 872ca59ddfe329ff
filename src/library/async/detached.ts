/** A caller's function, called in a task of its own: what it throws becomes an uncaught error of the caller's, rather than an error of the call. */
export function detached<T>(notify: (event: T) => void): (event: T) => void {
  return (event) => {
    queueMicrotask(() => {
      notify(event);
    });
  };
}

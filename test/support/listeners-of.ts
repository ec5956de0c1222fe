/** How many listeners were added to a signal from now on, and how many of these it still has. */
export function listenersOf(signal: AbortSignal): { readonly added: number; readonly present: number } {
  const present = new Set<unknown>();
  let added = 0;
  const { addEventListener, removeEventListener } = AbortSignal.prototype;
  Object.assign(signal, {
    addEventListener(this: AbortSignal, ...args: Parameters<AbortSignal['addEventListener']>) {
      added++;
      present.add(args[1]);
      addEventListener.apply(this, args);
      // Counted by hand, because `getEventListeners` of workerd returns none.
      const isOnce = typeof args[2] === 'object' && args[2].once === true;
      if (isOnce) addEventListener.call(this, 'abort', () => present.delete(args[1]), { once: true });
    },
    removeEventListener(this: AbortSignal, ...args: Parameters<AbortSignal['removeEventListener']>) {
      if (args[0] === 'abort') present.delete(args[1]);
      removeEventListener.apply(this, args);
    },
  });
  return {
    get added() {
      return added;
    },
    get present() {
      return present.size;
    },
  };
}

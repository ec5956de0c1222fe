/** How many timers of this process are set and keep it alive. */
export function runningTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

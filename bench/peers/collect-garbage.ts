/** Loaded before the real server (`--import`): collects garbage when the benchmark asks, as the compared programs
 * do. */
process.on('message', (message) => {
  if (message !== 'gc') return;
  globalThis.gc?.();
  process.send?.('done');
});

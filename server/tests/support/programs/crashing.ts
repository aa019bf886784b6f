/**
 * Loaded into a server before its own code (`NODE_OPTIONS=--import …`): on SIGUSR2 an error is thrown that nobody
 * catches, as by a fault of the server's own code.
 */
process.on('SIGUSR2', () => {
  throw new Error('a fault that nobody expected');
});

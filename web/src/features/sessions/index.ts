/** Live sessions that were and that run: what the dashboard shows of them. */
export { sessionQueries } from './sessionQueries.ts';
export { durationWords, momentWords, whoWords } from './sessionWords.ts';

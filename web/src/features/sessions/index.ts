/** Past and running live sessions: the parts that the dashboard shows. */
export { sessionQueries } from './sessionQueries.ts';
export { durationWords, momentWords, whoWords } from './sessionWords.ts';

/** What nearly every part of both sides needs. The other files are imported by their own names. */
export * from './http.ts';
export * from './problems.ts';
export * from './text.ts';

export * from './http.ts';
export * from './problems.ts';
export * from './text.ts';

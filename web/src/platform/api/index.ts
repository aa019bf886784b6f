export { api } from './api.ts';
export { ApiProblem, fillPath, isTemporary, personHeaders, problemFromBody, TRY_AGAIN_MS } from './request.ts';

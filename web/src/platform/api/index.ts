export { api } from './api.ts';
export { ApiProblem, fillPath, personHeaders, problemFromBody } from './request.ts';

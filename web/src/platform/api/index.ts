export { type Api, api, type CallInput, createApi } from './api.ts';
export { ApiProblem, fillPath, personHeaders, problemFromBody, request } from './request.ts';

/**
 * The upload of a file, which takes a minute over a slow connection: it reports its progress and can be stopped.
 * `fetch` does not report upload progress, so this one call uses XMLHttpRequest; a refusal is the same `ApiProblem`.
 */
import { ApiProblem, personHeaders, problemFromBody } from '../api/index.ts';
import { storage } from '../storage.ts';

export interface UploadOptions {
  /** Stops the upload: a file that has not arrived in full is not kept. The call then throws an AbortError. */
  signal?: AbortSignal;
  /** Takes the share that has been sent, 0 to 1. At 1 the server still has to make its own picture from the file. */
  onProgress?(part: number): void;
}

function answerOf(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return null;
  }
}

function send(address: string, file: File, { signal, onProgress }: UploadOptions): Promise<unknown> {
  return new Promise((done, fail) => {
    const stopped = () => fail(new DOMException('the upload was stopped', 'AbortError'));
    if (signal?.aborted) {
      stopped();
      return;
    }
    const request = new XMLHttpRequest();
    request.open('POST', address);
    for (const [name, value] of Object.entries(personHeaders(storage))) request.setRequestHeader(name, value);
    request.setRequestHeader('accept', 'application/json, application/problem+json');
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onload = () => {
      const body = answerOf(request);
      if (request.status < 400) done(body);
      else fail(problemFromBody(body, request.status, Number(request.getResponseHeader('retry-after')) || null));
    };
    request.onerror = () => fail(new ApiProblem('offline'));
    request.onabort = stopped;
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.append('file', file, file.name);
    request.send(form);
  });
}

/**
 * Posts a file. Takes the filled address and the file, and a call that is made when the sign-in has ended: only
 * `api.call` tells the app about that. Returns the answer's body. Throws `ApiProblem`.
 */
export async function sendFile(
  address: string,
  file: File,
  options: UploadOptions,
  askAgain: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await send(address, file, options);
  } catch (fault) {
    if (fault instanceof ApiProblem && (fault.code === 'session_expired' || fault.code === 'not_signed_in'))
      await askAgain();
    throw fault;
  }
}

/** Returns the text under a name in an answer. Throws `unknown_fault` if there is none. */
export function textIn(body: unknown, name: string): string {
  const text = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  if (typeof text !== 'string') throw new ApiProblem('unknown_fault');
  return text;
}

/**
 * The upload of a file, which takes a minute over a slow connection: it tells how far it is and can be stopped.
 * `fetch` tells nothing of what has left, so this one call goes by XMLHttpRequest; a refusal is the same `ApiProblem`.
 */
import { ApiProblem, personHeaders, problemFromBody } from '../api/index.ts';
import { storage } from '../storage.ts';

export interface UploadOptions {
  /** Stops it: nothing is kept of what has not arrived whole. The call then throws an AbortError. */
  signal?: AbortSignal;
  /** Hears what part has left, 0 to 1. At 1 the server still has to make its own picture of it. */
  onProgress?(part: number): void;
}

function answerOf(line: XMLHttpRequest): unknown {
  try {
    return JSON.parse(line.responseText);
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
    const line = new XMLHttpRequest();
    line.open('POST', address);
    for (const [name, value] of Object.entries(personHeaders(storage))) line.setRequestHeader(name, value);
    line.setRequestHeader('accept', 'application/json, application/problem+json');
    line.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    line.onload = () => {
      const body = answerOf(line);
      if (line.status < 400) done(body);
      else fail(problemFromBody(body, line.status, Number(line.getResponseHeader('retry-after')) || null));
    };
    line.onerror = () => fail(new ApiProblem('offline'));
    line.onabort = stopped;
    signal?.addEventListener('abort', () => line.abort(), { once: true });
    const form = new FormData();
    form.append('file', file, file.name);
    line.send(form);
  });
}

/**
 * Posts a file. Takes the filled address and the file, and a call that is made where the sign-in has ended: only
 * `api.call` tells the app so. Returns the answer's body. Throws `ApiProblem`.
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

/** The text under a name in an answer. Throws `unknown_fault` where there is none. */
export function textIn(body: unknown, name: string): string {
  const text = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  if (typeof text !== 'string') throw new ApiProblem('unknown_fault');
  return text;
}

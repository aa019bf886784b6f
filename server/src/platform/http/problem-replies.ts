/** Refusals and faults as answers: problems (RFC 9457), and what passes by itself. */
import { PROBLEMS, type ProblemCode } from '@fieldroom/contract/problems';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlobsUnavailable } from '../blobs/blobs.ts';
import { isDatabaseFull, isDatabaseUnavailable } from '../db/db.ts';
import { isDiskFull } from '../files/files.ts';
import { Problem } from '../problem.ts';

/** After this time it is worth repeating a call for which the database or the file store did not answer. */
const RETRY_AFTER_SECONDS = 2;
/** A full disk needs a person. */
const FULL_RETRY_SECONDS = 30;

/** What keeps us from serving a call for now: the words for the log, and when it is worth asking again. */
interface PassingFault {
  readonly saying: string;
  readonly retryAfterSeconds: number;
  readonly isFull: boolean;
}

/** Returns what passes by itself, or when somebody makes room; null for a bug. */
export function passingFault(error: unknown): PassingFault | null {
  if (isDiskFull(error) || isDatabaseFull(error))
    return { saying: 'there is no room left to write', retryAfterSeconds: FULL_RETRY_SECONDS, isFull: true };
  const soon = (saying: string) => ({ saying, retryAfterSeconds: RETRY_AFTER_SECONDS, isFull: false });
  if (isDatabaseUnavailable(error)) return soon('the database could not serve a call');
  return error instanceof BlobsUnavailable ? soon('the file store could not serve a call') : null;
}

/** Turns Fastify's own refusals into our problems; null for a bug. */
export function asProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  // PostgreSQL: the text is not valid in its encoding.
  if (isBadText(error)) return new Problem('bad_request');
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new Problem('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('not_json');
    case 'FST_ERR_RATE_LIMIT':
      return new Problem('too_many_requests');
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new Problem(statusCode === 404 ? 'not_found' : statusCode === 413 ? 'payload_too_large' : 'bad_request')
        : null;
  }
}

/**
 * Whether a statement failed for a text that PostgreSQL's encoding does not allow (SQLSTATE 22021), such as one with a
 * NUL.
 */
const isBadText = (error: unknown): boolean => (error as { cause?: { code?: string } }).cause?.code === '22021';

const unchanged = (text: unknown) => text as string;

/** The JSON of problems about which only the code is known. */
const bareProblems = new Map<ProblemCode, string>();
function textOf(problem: Problem): string {
  if (Object.keys(problem.more).length > 0) return JSON.stringify(problem.body());
  const made = bareProblems.get(problem.code) ?? JSON.stringify(problem.body());
  bareProblems.set(problem.code, made);
  return made;
}

/** Answers with a problem. */
export function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: Problem): FastifyReply {
  const { status } = PROBLEMS[problem.code];
  const { retryAfterSeconds } = problem.more;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  // RFC 9110 requires a challenge with every 401.
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  reply.removeHeader('content-length');
  return (
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('application/problem+json')
      // With a separate serializer; otherwise Fastify adds a charset, which this type does not have. As text it is sent
      // with its head in one write.
      .serializer(unchanged)
      .send(request.method === 'HEAD' ? '' : textOf(problem))
  );
}

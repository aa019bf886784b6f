/** A refusal on its way to the person who meets it. */
import { problemBody, type ProblemBody, type ProblemCode } from '@fieldroom/contract/problems';

/** A refusal that a person can meet. Every other error is a bug. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly more: Partial<Pick<ProblemBody, 'detail' | 'fields' | 'retryAfterSeconds' | 'reference'>>;
  constructor(code: ProblemCode, more: Problem['more'] = {}) {
    // The code says everything. Nearly every answer at a sold-out event is a problem, and collecting the stacks took
    // 7 % of the server's time there (`npm run -w bench bookings`).
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Problem';
    this.code = code;
    this.more = more;
  }
  body(): ProblemBody {
    return problemBody(this.code, this.more);
  }
}

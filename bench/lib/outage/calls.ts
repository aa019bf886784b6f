/** Calls at a fixed rate while something fails, and what the failure did to them. */
import type { BodyInputOf, Endpoint } from '@fieldroom/contract/http';
import type { Fieldroom } from '../service/fieldroom.ts';

/** Each kind of call is made this often, however long answers take, unless it says something else. */
export const EVERY_MS = 100;

export interface Answer {
  /** When the call was made, by `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  /** 0 where the connection broke. */
  readonly status: number;
  /** Whether it said when to try again. */
  readonly retryAfter: boolean;
}
export type Outcome = Omit<Answer, 'at' | 'ms'>;
/** Whether a call was answered by 2xx. */
export const isServed = ({ status }: Answer) => status >= 200 && status < 300;
/** A refusal that says that the service is in trouble, and when to come again. */
const isHonest = ({ status, retryAfter }: Answer) => status === 503 && retryAfter;

export interface Kind {
  readonly name: string;
  readonly everyMs?: number;
  make(): Promise<Outcome>;
}

/** Makes calls of all kinds at a fixed rate. Returns how to end it, which waits for all answers, by kind. */
export function keepCalling(kinds: readonly Kind[]): () => Promise<ReadonlyMap<Kind, Answer[]>> {
  const answers = new Map(kinds.map((kind) => [kind, [] as Answer[]]));
  const open: Promise<void>[] = [];
  const call = (kind: Kind) => {
    const at = performance.now();
    open.push(
      kind.make().then((answer) => void answers.get(kind)!.push({ at, ms: performance.now() - at, ...answer })),
    );
  };
  // The kinds do not fall due at the same moment.
  const timers: NodeJS.Timeout[] = [];
  const starts = kinds.map((kind, nth) =>
    setTimeout(() => timers.push(setInterval(call, kind.everyMs ?? EVERY_MS, kind)), (nth * EVERY_MS) / kinds.length),
  );
  return async () => {
    for (const timer of [...starts, ...timers]) clearInterval(timer);
    await Promise.all(open);
    return answers;
  };
}

interface Asked<E extends Endpoint> {
  readonly params?: Record<string, string | number>;
  readonly query?: string;
  readonly body?: BodyInputOf<E>;
  /** A picture that is sent as a form. */
  readonly picture?: Uint8Array<ArrayBuffer>;
  readonly token?: string;
}

/** Makes a call by the contract, and says what came of it. */
export async function ask<E extends Endpoint>(
  { url }: Fieldroom,
  { method, path }: E,
  { params = {}, query = '', body, picture, token }: Asked<E>,
): Promise<Outcome> {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const form = new FormData();
  if (picture !== undefined) form.append('file', new Blob([picture], { type: 'image/png' }), 'picture.png');
  try {
    const answer = await fetch(`${url}${target}${query}`, {
      method,
      headers: {
        origin: url,
        ...(picture === undefined ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(picture === undefined ? {} : { body: form }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) > 0 };
  } catch {
    return { status: 0, retryAfter: false };
  }
}

/** What a failure did to the calls of one kind. */
export interface Felt {
  readonly refused: Answer[];
  readonly dishonest: number;
  /** The slowest answer to a call that was served after the failure had begun, ms. */
  readonly slowestServedMs: number;
  /** From the mend until the first call that was made after the last refusal is answered; 0 without a refusal. */
  readonly backMs: number;
}

/** Takes the answers to calls of one kind, and when the failure began and was mended. */
export function feltBy(answers: readonly Answer[], brokenAt: number, mendedAt: number): Felt {
  const refused = answers.filter((answer) => !isServed(answer));
  const last = refused.toSorted((a, b) => a.at - b.at).at(-1);
  const next = last && answers.filter((one) => one.at > last.at && isServed(one)).toSorted((a, b) => a.at - b.at)[0];
  const slowest = answers
    .filter((one) => isServed(one) && one.at < mendedAt && one.at + one.ms > mendedAt)
    .map(({ at, ms }) => at + ms);
  const backAt = Math.max(next ? next.at + next.ms : 0, ...slowest);
  return {
    refused,
    dishonest: refused.filter((one) => !isHonest(one)).length,
    slowestServedMs: Math.max(0, ...answers.filter((one) => isServed(one) && one.at >= brokenAt).map(({ ms }) => ms)),
    backMs: Math.max(0, backAt - mendedAt),
  };
}

/**
 * What leaves the browser, when, and what never does. The numbers refer to docs/product.md.
 *
 * @alone @alone Entries logged before there is a queue wait in a module, together with those of earlier test files.
 */
import { LOG_ENTRIES_MAX, type LogEntry, type LogLevel, saveLog } from '@fieldroom/contract/logs';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ApiProblem } from '../api/index.ts';
import { faultReference } from './faultReference.ts';
import { describeFault, kindOf } from './describeFault.ts';
import { log, type Logged, passLogsTo } from './log.ts';
import { createLogQueue, type LogQueue } from './logQueue.ts';

const ORIGIN = window.location.origin;

let sent: { entries: LogEntry[]; keepalive: boolean }[];
let answer: () => Promise<LogLevel>;
let online: boolean;
let signedIn: boolean;
let time: number;
let queue: LogQueue;
beforeEach(() => {
  sent = [];
  answer = () => Promise.resolve('Info');
  [online, signedIn] = [true, true];
  time = Date.parse('2026-11-24T08:00:00Z');
  queue = createLogQueue({
    send: (entries, { keepalive }) => {
      sent.push({ entries, keepalive });
      return answer();
    },
    mayLog: () => signedIn,
    isOnline: () => online,
    page: () => '/app/play-area',
    now: () => time,
  });
});

/** A fault whose stack has Chromium's form. */
function faultAt(position: string, fault: Error = new TypeError('no matter')): Error {
  fault.stack = `${fault.name}: ${fault.message}\n    at draw (${ORIGIN}/assets/${position})\n    at <anonymous>:1:1`;
  return fault;
}
const broke = (position = 'Room-abc123.js:1:2'): Logged => ({
  level: 'Error',
  event: 'An error was not caught',
  fault: faultAt(position),
});
const uploaded = () => sent.flatMap(({ entries }) => entries);

describe('12.12 uploads', () => {
  test('take what waits, once; if nothing waits, nothing is sent', async () => {
    await queue.upload();
    expect(sent).toEqual([]);
    queue.add(broke());
    await queue.upload();
    await queue.upload();
    expect(sent).toEqual([
      {
        entries: [
          {
            date: '2026-11-24T08:00:00.000Z',
            level: 'Error',
            message: 'An error was not caught: TypeError',
            info: ['page /app/play-area', 'at assets/Room-abc123.js:1:2'],
          },
        ],
        keepalive: false,
      },
    ]);
  });

  test('still happen when a page is left', async () => {
    queue.add(broke());
    await queue.upload({ keepalive: true });
    expect(sent[0]!.keepalive).toBe(true);
  });

  test('drop the entries even when they fail; the next one tells how many were lost', async () => {
    answer = () => Promise.reject(new ApiProblem('unavailable', { status: 503 }));
    queue.add(broke());
    queue.add(broke('Room-abc123.js:3:4'));
    await queue.upload();
    // Nothing waits, so there is no new attempt until something happens.
    await queue.upload();
    expect(sent).toHaveLength(1);
    queue.add(broke());
    await queue.upload();
    answer = () => Promise.resolve('Info');
    queue.add(broke());
    await queue.upload();
    // Two were lost, and the next one with the report about them.
    expect(sent.at(-1)!.entries.map(({ message, info }) => [message, info![0]])).toEqual([
      ['Entries were lost', '3 entries'],
      ['An error was not caught: TypeError', 'page /app/play-area'],
    ]);
    queue.add(broke());
    await queue.upload();
    expect(sent.at(-1)!.entries).toHaveLength(1);
  });

  test('wait while there is no connection, without an attempt', async () => {
    online = false;
    queue.add(broke());
    await queue.upload();
    expect(sent).toEqual([]);
    online = true;
    await queue.upload();
    expect(uploaded()).toHaveLength(1);
  });

  test('wait as long as the server asks for', async () => {
    answer = () => Promise.reject(new ApiProblem('too_many_requests', { status: 429, retryAfterSeconds: 600 }));
    queue.add(broke());
    await queue.upload();
    time += 599_000;
    queue.add(broke());
    await queue.upload();
    expect(sent).toHaveLength(1);
    time += 1_000;
    queue.add(broke());
    await queue.upload();
    expect(sent).toHaveLength(2);
    expect(sent[1]!.entries[0]!.info).toEqual(['2 entries']);
  });
});

describe('12.15 the queue is bounded', () => {
  test('what happens repeatedly is one entry', async () => {
    for (let count = 0; count < 10_000; count += 1) queue.add(broke());
    await queue.upload();
    expect(uploaded()).toHaveLength(1);
    expect(uploaded()[0]!.info).toContain('10000 times');
  });

  test('ten thousand different entries make one body that the server accepts, and a number', async () => {
    for (let count = 0; count < 10_000; count += 1) queue.add(broke(`Room-abc123.js:1:${count}`));
    await queue.upload();
    const { entries } = sent[0]!;
    expect(entries).toHaveLength(LOG_ENTRIES_MAX);
    const body = { loggerEntries: entries };
    expect(JSON.stringify(body).length).toBeLessThan(64_000);
    expect(z.safeParse(saveLog.body!, body).success).toBe(true);
    expect(entries[0]).toMatchObject({ level: 'Warn', message: 'Entries were lost', info: ['9901 entries'] });
  });

  test('long stacks are cut to the size limit of a body', async () => {
    for (let count = 0; count < 99; count += 1) {
      const fault = new Error('x');
      fault.stack = Array.from(
        { length: 50 },
        (_, row) => `    at f (${ORIGIN}/assets/${'Long'.repeat(25)}-abc123.js:${row}:${count})`,
      ).join('\n');
      queue.add({ level: 'Error', event: 'An error was not caught', fault });
    }
    await queue.upload();
    const body = { loggerEntries: sent[0]!.entries };
    expect(JSON.stringify(body).length).toBeLessThan(64_000);
    expect(z.safeParse(saveLog.body!, body).success).toBe(true);
  });
});

describe('12.10 levels', () => {
  test('the server’s answer sets the level that is collected from then on', async () => {
    queue.add({ level: 'Debug', event: 'A call failed' });
    queue.add({ level: 'Info', event: 'A call failed' });
    answer = () => Promise.resolve('Error');
    await queue.upload();
    expect(uploaded().map(({ level }) => level)).toEqual(['Info']);
    queue.add({ level: 'Warn', event: 'A call failed' });
    await queue.upload();
    expect(sent).toHaveLength(1);
    answer = () => Promise.resolve('Off');
    queue.add(broke());
    await queue.upload();
    queue.add({ ...broke(), level: 'Fatal' });
    await queue.upload();
    expect(sent).toHaveLength(2);
  });

  test('a lost connection and an aborted call are not logged', async () => {
    queue.add({ level: 'Error', event: 'A promise was rejected', fault: new ApiProblem('offline') });
    queue.add({ level: 'Error', event: 'A promise was rejected', fault: new DOMException('stop', 'AbortError') });
    await queue.upload();
    expect(sent).toEqual([]);
  });

  test('entries logged before the queue exists wait for it, up to a limit', () => {
    for (let count = 0; count < 50; count += 1) log({ level: 'Warn', event: 'A call failed' });
    const seen: Logged[] = [];
    passLogsTo((logged) => void seen.push(logged));
    log(broke());
    expect(seen).toHaveLength(21);
  });
});

describe('12.13 without a sign-in', () => {
  test('nothing is collected or sent', async () => {
    signedIn = false;
    queue.add(broke());
    signedIn = true;
    await queue.upload();
    expect(sent).toEqual([]);
    queue.add(broke());
    signedIn = false;
    await queue.upload();
    expect(sent).toEqual([]);
  });

  test('the next person uploads nothing of the previous one', async () => {
    queue.add(broke());
    queue.clear();
    await queue.upload();
    expect(sent).toEqual([]);
  });
});

describe('12.11 nothing personal', () => {
  const NAME = 'Ildikóxq Szabóxq-Varga';
  const EMAIL = 'ildiko.szabo@mailbox.example';
  const TOKEN = 'q3vLk0yT9bq3vLk0yT9bq3vLk0yT9bq3vLk0yT9bxyz';
  const PERSONAL = /xq|ildiko|mailbox|q3vLk|grandmother|K7PQ2/i;
  const text = `${NAME} ${EMAIL} ${TOKEN} my grandmother K7PQ2 +36 30 123 4567`;
  class Ildikoxq extends Error {
    override name = NAME;
  }
  const faults: [string, unknown][] = [
    ['an error', new Error(text)],
    ['an error with a name of its own', new Ildikoxq(text)],
    ['an error with a cause', new Error(text, { cause: new Error(text) })],
    ['several errors', new AggregateError([new Error(text)], text)],
    ['an error of the browser', new DOMException(text, 'NotAllowedError')],
    ['an error of the browser with a name of its own', new DOMException(text, NAME)],
    ['a text', text],
    ['an object', { message: text, stack: text, name: NAME, code: text }],
    ['nothing', null],
    [
      'an error with properties',
      Object.assign(new Error(text), { code: EMAIL, email: EMAIL, response: { body: text } }),
    ],
    ['a problem with an unknown code', new ApiProblem(NAME as never, { status: 400, reference: EMAIL })],
    ['a problem with fields', new ApiProblem('invalid_input', { fields: [{ path: NAME, code: EMAIL }] })],
    [
      'a stack that quotes and names pages with secrets',
      Object.assign(new Error(text), {
        stack: [
          `Error: ${text}`,
          `    at ${ORIGIN}/user/join/${TOKEN}:1:2`,
          `    at f (${ORIGIN}/user/verify?token=${TOKEN}:3:4)`,
          `    at Ildikoxq.grandmother (https://elsewhere.example/assets/mailbox.js:5:6)`,
          `    at eval (eval at g (${EMAIL}), <anonymous>:1:1)`,
          `    at h (${ORIGIN}/assets/Room-abc123.js?token=${TOKEN}:7:8)`,
          `ildiko@${ORIGIN}/assets/Room-abc123.js:9:10`,
        ].join('\n'),
      }),
    ],
  ];

  test.each(faults)('the browser does not send %s', async (_, fault) => {
    queue.add({ level: 'Error', event: 'An error was not caught', fault });
    await queue.upload();
    const text = JSON.stringify(sent);
    expect(uploaded()).toHaveLength(1);
    expect(text).not.toMatch(PERSONAL);
    expect(text).not.toContain('4567');
  });

  test('12.1 the entry of a broken page has the reference that the page shows', async () => {
    const fault = faultAt('Room-abc123.js:1:2');
    queue.add({ level: 'Fatal', event: 'A page broke', fault });
    await queue.upload();
    expect(uploaded()[0]!.info).toContain(`reference ${faultReference(fault)}`);
  });

  test('useful details are kept: kinds, codes, references and positions in our scripts', () => {
    expect(kindOf(new RangeError('x'))).toBe('RangeError');
    expect(kindOf(new DOMException('x', 'NotAllowedError'))).toBe('NotAllowedError');
    expect(kindOf('text')).toBe('thrown value');
    expect(describeFault(new ApiProblem('field_full', { status: 409, reference: 'a1B2c3D4e5F6' }))).toEqual([
      'code field_full',
      'status 409',
      'reference a1B2c3D4e5F6',
    ]);
    const ofVideo = Object.assign(new Error('no such room'), { name: 'ConnectionFault', code: 426, stack: '' });
    expect([kindOf(ofVideo), describeFault(ofVideo)]).toEqual(['ConnectionFault', ['code 426']]);
    const [, stack] = faults.at(-1) as [string, Error];
    expect(describeFault(stack)).toEqual(['at assets/Room-abc123.js:7:8', 'at assets/Room-abc123.js:9:10']);
  });
});

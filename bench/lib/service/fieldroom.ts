/** The real server in its own process, and the calls of the contract. */
import { pbkdf2, solveChallenge, type Challenge } from 'altcha/lib';
import { getCaptcha, login, register, verify, type User } from '@fieldroom/contract/accounts';
import { admit, enterRoom, openRoom, type Client } from '@fieldroom/contract/clients';
import type { BodyInputOf, Endpoint, ReplyOf } from '@fieldroom/contract/http';
import { MAIN, NODE_FLAGS } from '../../../server/tests/support/programs/process.ts';
import { answering, buildIfChanged, freePort, startNode, tempFolder, type Started } from './processes.ts';

const DEMO = { email: 'anna@demo.example', password: 'constellation' } as const;
const PASSWORD = 'quiet river under stones';

export interface Fieldroom {
  readonly started: Started;
  readonly port: number;
  readonly url: string;
  call<E extends Endpoint>(
    endpoint: E,
    options?: {
      params?: Record<string, number | string>;
      query?: Record<string, string>;
      body?: BodyInputOf<E>;
      token?: string;
      /** Headers that the endpoint declares. */
      headers?: Record<string, string>;
    },
  ): Promise<ReplyOf<E>>;
  stop(): Promise<void>;
}

/**
 * Starts the server with an empty data folder, and with limits that 1,000 people behind one address cannot reach. Takes
 * settings that replace these, and Node's flags; `ipc` opens a channel to it.
 */
export async function startFieldroom(
  settings: Record<string, string> = {},
  nodeFlags: string[] = [],
  { ipc = false }: { ipc?: boolean } = {},
): Promise<Fieldroom> {
  const port = settings['PORT'] === undefined ? await freePort() : Number(settings['PORT']);
  const dataDir = await tempFolder('server');
  await buildIfChanged('server');
  const started = startNode(MAIN, [], {
    ipc,
    nodeFlags: [...NODE_FLAGS, ...nodeFlags],
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: '1',
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      LIMIT_REQUESTS: '1000000/60',
      LIMIT_OPEN_CALLS: '1000000/60',
      LIMIT_REGISTER: '100000/60',
      LIMIT_SIGN_IN: '100000/60',
      LIMIT_CAPTCHA: '100000/60',
      LIMIT_WRONG_CODE: '100000/60',
      LIMIT_WRONG_CODE_ROOMS: '100000/60',
      LIMIT_FORM_EMAILS: '100000/60',
      LIMIT_ADDRESS_EMAILS: '100000/60',
      ...settings,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(started, `${url}/readyz`);
  return {
    started,
    port,
    url,
    async call(endpoint, { params = {}, query = {}, body, token, headers = {} } = {}) {
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
      const search = new URLSearchParams(query).toString();
      const answer = await fetch(`${url}${path}${search ? `?${search}` : ''}`, {
        method: endpoint.method,
        headers: {
          accept: 'application/json',
          origin: url,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${endpoint.method} ${path} answered ${answer.status}: ${text.slice(0, 400)}`);
      return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<typeof endpoint>;
    },
    stop: () => started.stop(),
  };
}

export interface SignedIn {
  token: string;
  user: User;
}

/** Signs in as the demo's therapist. */
export const signInDemo = (server: Fieldroom): Promise<SignedIn> => server.call(login, { body: { ...DEMO } });

/** Registers a therapist through the real calls: captcha, email, sign-in. */
export async function newTherapist(server: Fieldroom, index: number): Promise<SignedIn> {
  const email = `therapist${index}@bench.example`;
  const { codeChallenge: _, ...challenge } = (await server.call(getCaptcha)) as unknown as Challenge;
  const solution = await solveChallenge({
    challenge: challenge as Challenge,
    deriveKey: pbkdf2.deriveKey,
    timeout: 60_000,
  });
  if (!solution) throw new Error('the captcha was not solved');
  await server.call(register, {
    body: {
      firstName: 'Bench',
      lastName: `Number ${index}`,
      email,
      password: PASSWORD,
      gender: 'female',
      language: 'en',
      licenseAccepted: true,
      dataAccepted: true,
      captcha: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64'),
    },
  });
  const token = await emailToken(server, email);
  await server.call(verify, { query: { token } });
  return server.call(login, { body: { email, password: PASSWORD } });
}

/** Waits for an email to an address and returns the token in its link. */
async function emailToken(server: Fieldroom, email: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const emails = (await fetch(`${server.url}/dev/mail.json`).then((answer) => answer.json())) as {
      to: string;
      text: string;
    }[];
    const token = emails.find(({ to }) => to.includes(email))?.text.match(/token=([A-Za-z0-9_-]+)/)?.[1];
    if (token) return token;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error('no email came');
}

/** A therapist who is signed in, with what their room needs. */
export interface Therapist {
  readonly id: number;
  readonly token: string;
  readonly joinLink: string;
}

/** A signed-in therapist with what their room needs. */
export const therapistOf = ({ token, user }: SignedIn): Therapist => ({
  id: user.id,
  token,
  joinLink: user.joinLink,
});

export interface Seated {
  token: string;
  client: Client;
}

/** Opens the room and admits a number of clients, who enter by the link and wait. */
export async function fillRoom(server: Fieldroom, therapist: Therapist, clients: number): Promise<Seated[]> {
  await server.call(openRoom, { token: therapist.token });
  const seated: Seated[] = [];
  for (let number = 1; number <= clients; number++) {
    const { token, client } = await server.call(enterRoom, {
      body: { joinLink: therapist.joinLink, name: `Person ${number}` },
    });
    seated.push({ token, client });
  }
  const { admitted } = await server.call(admit, { token: therapist.token, body: { clientIds: 'all' } });
  if (admitted.length !== clients) throw new Error(`only ${admitted.length} of ${clients} were admitted`);
  return seated;
}

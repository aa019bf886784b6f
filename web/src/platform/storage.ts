/**
 * The browser's storage under its fixed keys (docs/product.md#3.10). What is stored there is only a claim: the server
 * checks each one. Broken JSON is removed; if storage is blocked, the page keeps the values in memory until it is left.
 */
import type { User } from '@fieldroom/contract/accounts';
import type { Client } from '@fieldroom/contract/clients';
import { BYE_PAGE, CODE_PAGE, joinPage } from '@fieldroom/contract/pages';
import { createEmitter } from './emitter.ts';

export interface StoredTherapist {
  id: number;
  roles: string[];
  joinLink: string;
}

/** The person behind a sign-in; one from an older version lacks newer fields. */
export type StoredUser = Omit<User, 'picture' | 'deletesOn'> & Partial<Pick<User, 'picture' | 'deletesOn'>>;

interface Shapes {
  user: StoredUser;
  client: Client;
  therapist: StoredTherapist;
}
const PLAIN_KEYS = [
  'token',
  'secret_code',
  'logoutExpiredDate',
  'myVideoActive',
  'device',
  // Between the registration and the first sign-in.
  'registeredEmail',
  'theme',
  'radius',
  'menu',
  'language',
  // The colours of the menus (features/design).
  'menus',
] as const;
type PlainKey = (typeof PLAIN_KEYS)[number];

/** Checks just enough of each shape that no reader can fail. */
const looksRight: { [K in keyof Shapes]: (value: unknown) => value is Shapes[K] } = {
  user: (value): value is StoredUser =>
    isRecord(value) &&
    isId(value.id) &&
    isTexts(value.roles) &&
    isTexts(value.authorities) &&
    typeof value.firstName === 'string',
  client: (value): value is Client =>
    isRecord(value) &&
    isId(value.id) &&
    typeof value.name === 'string' &&
    isRecord(value.therapist) &&
    isId(value.therapist.id) &&
    typeof value.therapist.joinLink === 'string',
  therapist: (value): value is StoredTherapist =>
    isRecord(value) && isId(value.id) && isTexts(value.roles) && typeof value.joinLink === 'string',
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

export interface Store {
  get<K extends keyof Shapes>(key: K): Shapes[K] | null;
  set<K extends keyof Shapes>(key: K, value: Shapes[K]): void;
  getText(key: PlainKey): string | null;
  setText(key: PlainKey, value: string): void;
  remove(...keys: (keyof Shapes | PlainKey)[]): void;
  /** Session key `page_refresh`: set by a page that is being left, read once by the next. */
  takePageRefresh(): boolean;
  markPageRefresh(): void;
}

export interface TextStore {
  get(key: string): string | null;
  /** Returns whether the browser has stored it. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
}

/** A storage of the browser that never throws: one that refuses keeps nothing. Takes a function that returns it. */
export function textStore(area: () => Storage): TextStore {
  const attempt = <T>(act: (storage: Storage) => T, otherwise: T): T => {
    try {
      return act(area());
    } catch {
      return otherwise;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key), null),
    set: (key, value) =>
      attempt((storage) => {
        storage.setItem(key, value);
        return true;
      }, false),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
  };
}

/** What this browser keeps. */
export const deviceStore: TextStore = textStore(() => window.localStorage);
/** What this tab keeps: it survives a reload and ends with the tab. */
export const tabStore: TextStore = textStore(() => window.sessionStorage);

/** Takes local and session storage as the browser has them (or nothing if it refuses). */
export function createStore(local: () => Storage, session: () => Storage): Store {
  const [device, tab] = [textStore(local), textStore(session)];
  /** What the browser refused to store; it lasts as long as the page. */
  const kept = new Map<string, string>();
  const read = (key: string) => device.get(key) ?? kept.get(key) ?? null;
  const write = (key: string, value: string) => {
    if (device.set(key, value)) kept.delete(key);
    else kept.set(key, value);
  };
  const drop = (key: string) => {
    kept.delete(key);
    device.remove(key);
  };
  return {
    get(key) {
      const text = read(key);
      if (text === null) return null;
      try {
        const value: unknown = JSON.parse(text);
        if (looksRight[key](value)) return value;
      } catch {
        // Falls through: unreadable and wrong shapes are treated alike.
      }
      drop(key);
      return null;
    },
    set(key, value) {
      write(key, JSON.stringify(value));
    },
    getText: read,
    setText: write,
    remove(...keys) {
      for (const key of keys) drop(key);
    },
    takePageRefresh() {
      const marked = tab.get('page_refresh') !== null;
      tab.remove('page_refresh');
      return marked;
    },
    // If it is not stored, the next page counts as freshly opened, which is harmless.
    markPageRefresh: () => void tab.set('page_refresh', 'true'),
  };
}

export const storage: Store = createStore(
  () => window.localStorage,
  () => window.sessionStorage,
);

/** The key in `tabStore` for what somebody wrote in a room and the server has not confirmed. */
export const UNSENT_MESSAGES = 'unsentMessages';
/** The keys in `tabStore` for a message to the operator that is not sent yet, and for its topic. */
export const UNSENT_SUPPORT = 'unsentSupport';
export const UNSENT_SUPPORT_TOPIC = 'unsentSupportTopic';

/**
 * Keeps a therapist's (or admin's) sign-in; a client's seat on this browser ends with it. By `device` the server
 * recognises this browser at the next sign-in; it stays after signing out.
 */
export function keepSignIn(store: Store, signIn: { token: string; user: StoredUser; device?: string }): void {
  if (signIn.device !== undefined) store.setText('device', signIn.device);
  store.remove('client', 'secret_code', 'registeredEmail');
  store.setText('token', signIn.token);
  store.set('user', signIn.user);
  store.set('therapist', { id: signIn.user.id, roles: [...signIn.user.roles], joinLink: signIn.user.joinLink });
}

/** Keeps a client's seat. `user` is the client as the route guard reads it: its first authority is ROLE_CLIENT. */
export function keepSeat(store: Store, seat: { token: string; client: Client; language: User['language'] }): void {
  store.setText('token', seat.token);
  store.set('client', seat.client);
  store.set('user', {
    id: seat.client.id,
    firstName: seat.client.name,
    lastName: '',
    email: '',
    roles: ['ROLE_CLIENT'],
    authorities: ['ROLE_CLIENT'],
    language: seat.language,
    slug: '',
    joinLink: seat.client.therapist.joinLink,
  });
}

/**
 * Where a client waits and returns to: the link they came by, which those who came by code or booking do not know.
 */
export function joinPath(client: Pick<Client, 'therapist'> | null): string {
  return client?.therapist.joinLink ? joinPage(client.therapist.joinLink) : CODE_PAGE;
}

/** The goodbye page, with the way back for those who came by a link. */
export function byeAddress(why: string, joinLink = ''): string {
  return `${BYE_PAGE}?${new URLSearchParams({ why, ...(joinLink ? { link: joinLink } : {}) })}`;
}

const forgotten = createEmitter();

/** Calls the listener each time a person is forgotten, so that nothing of theirs in memory outlives the sign-in. */
export function onPersonForgotten(listener: () => void): void {
  forgotten.on(listener);
}

/** Forgets what only this tab keeps of a person; what the browser keeps of the current person stays. */
export function forgetInTab(): void {
  tabStore.remove(UNSENT_MESSAGES);
  tabStore.remove(UNSENT_SUPPORT);
  tabStore.remove(UNSENT_SUPPORT_TOPIC);
  forgotten.emit();
}

/** Forgets who was here; theme, radius, menu and language stay, and `device`, which gives no access by itself. */
export function forgetPerson(store: Store): void {
  store.remove('user', 'client', 'therapist', 'token', 'secret_code', 'logoutExpiredDate', 'myVideoActive', 'menus');
  forgetInTab();
}

/** Forgets a client who has left, unless another person has since signed in in another tab, whose sign-in this must not
 * end. */
export function forgetClient(store: Store, clientId: number | undefined): void {
  if (store.get('client')?.id === clientId) forgetPerson(store);
}

/** A therapist signed in on this browser blocks the client entry (docs/product.md#4.14). */
export function therapistSignedInHere(store: Store): boolean {
  return (
    store.getText('token') !== null &&
    store.get('therapist')?.roles[0] === 'ROLE_THERAPIST' &&
    store.get('user')?.roles[0] !== 'ROLE_CLIENT'
  );
}

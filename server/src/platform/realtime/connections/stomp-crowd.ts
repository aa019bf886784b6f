/**
 * How many connections there may be: of strangers from one address, of strangers in all, and of one person. A browser
 * that signs in at once always gets in: whoever has waited longest gives way.
 */
import type { Conn, Failure } from './stomp-connection.ts';
import type { StompEvent, StompLimits } from '../stomp-types.ts';

export interface CrowdParts<P> {
  readonly limits: StompLimits;
  /** The person to whom a sign-in belongs; undefined where persons are not counted. */
  readonly personOf: ((principal: P) => string | number) | undefined;
  /** Whether there are as many connections as there may be in all. */
  isFull(): boolean;
  count(event: StompEvent): void;
  /** Ends a connection with an ERROR frame. */
  fail(connection: Conn<P>, failure: Failure): void;
}

export interface Crowd<P> {
  /** Whether one more may come from this address; somebody may have given way for it. */
  makeRoom(address: string): boolean;
  /** A stranger has come. */
  enter(connection: Conn<P>): void;
  /** The stranger has signed in. If the person has too many connections, the one that was silent longest is closed. */
  signIn(connection: Conn<P>): void;
  /** Removes it from the lists that limit others; a second call does nothing. */
  leave(connection: Conn<P>): void;
}

/** Makes the lists of one broker. */
export function createCrowd<P>({ limits, personOf, isFull, count, fail }: CrowdParts<P>): Crowd<P> {
  /** Those that have not signed in, by address; the oldest come first. */
  const strangers = new Map<string, Set<Conn<P>>>();
  let strangerCount = 0;
  const persons = new Map<string | number, Set<Conn<P>>>();

  const leaveStrangers = (connection: Conn<P>) => {
    const { address } = connection;
    if (address === null) return;
    connection.address = null;
    strangerCount--;
    const there = strangers.get(address)!;
    there.delete(connection);
    if (there.size === 0) strangers.delete(address);
  };

  /** Cuts the oldest of those that have not tried to sign in. Those whose sign-in is being looked up stay. */
  const cutOldest = (there: Iterable<Conn<P>> | undefined): boolean => {
    for (const connection of there ?? []) {
      if (connection.state !== 'waiting') continue;
      count('closedSilent');
      leaveStrangers(connection);
      connection.ws.terminate();
      return true;
    }
    return false;
  };

  return {
    makeRoom(address) {
      const there = strangers.get(address);
      if ((there?.size ?? 0) >= limits.strangersOfAddress) return cutOldest(there);
      if (strangerCount < limits.strangers && !isFull()) return true;
      let crowd: Set<Conn<P>> | undefined;
      for (const one of strangers.values()) if (crowd === undefined || one.size > crowd.size) crowd = one;
      return cutOldest(crowd);
    },

    enter(connection) {
      const address = connection.address!;
      let there = strangers.get(address);
      if (there === undefined) strangers.set(address, (there = new Set()));
      there.add(connection);
      strangerCount++;
    },

    signIn(connection) {
      leaveStrangers(connection);
      const person = personOf?.(connection.principal);
      if (person === undefined) return;
      let own = persons.get(person);
      if (own === undefined) persons.set(person, (own = new Set()));
      if (own.size >= limits.connectionsOfPerson) {
        let silent: Conn<P> | undefined;
        for (const one of own) if (silent === undefined || one.lastIn < silent.lastIn) silent = one;
        const message = `there are at most ${limits.connectionsOfPerson} connections of one person`;
        fail(silent!, { code: 'too_many_connections', message, closeCode: 1008 });
        // When it ended, it removed its list if it was the only one in it.
        persons.set(person, own);
      }
      own.add(connection);
      connection.person = person;
    },

    leave(connection) {
      leaveStrangers(connection);
      const { person } = connection;
      if (person === null) return;
      connection.person = null;
      const own = persons.get(person)!;
      own.delete(connection);
      if (own.size === 0) persons.delete(person);
    },
  };
}

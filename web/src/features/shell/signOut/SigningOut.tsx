/** Signing out, with a question first if it would end a live session with clients in the room. */
import { isTherapist } from '@fieldroom/contract/accounts';
import { getRoom } from '@fieldroom/contract/clients';
import { type ReactNode, useState } from 'react';
import { api } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { signOut } from '../../accounts/index.ts';

const lazyQuestion = lazyPart(() => import('./SignOutQuestion.tsx').then((module) => module.SignOutQuestion));

/**
 * How many clients a sign-out would send away; 0 if that cannot be known, because then the server is not reached
 * either.
 */
async function peopleInside(): Promise<number> {
  if (!isTherapist(storage.get('user'))) return 0;
  try {
    const room = await api.call(getRoom);
    return room.liveSession === null ? 0 : room.people.length;
  } catch {
    return 0;
  }
}

export interface SigningOut {
  /** Starts it: asks, or signs out at once. */
  start(): void;
  busy: boolean;
  /** To be mounted in the page; null while there is no question. */
  question: ReactNode;
}

/** Takes the next step: called with the address to open once this browser has forgotten the person. */
export function useSigningOut(onDone: (to: string) => unknown): SigningOut {
  const [busy, setBusy] = useState(false);
  const [inside, setInside] = useState(0);

  const stay = () => setInside(0);
  const Question = useLazyPart(lazyQuestion, inside > 0, stay);

  const leave = async () => {
    setBusy(true);
    await onDone(await signOut());
  };
  const start = async () => {
    setBusy(true);
    const count = await peopleInside();
    if (count === 0) return leave();
    setBusy(false);
    return setInside(count);
  };
  return {
    start: () => void start(),
    busy,
    question: Question && (
      <OpenAfterMount
        dialog={Question}
        given={{ opened: inside > 0, inside, busy, onStay: stay, onLeave: () => void leave() }}
      />
    ),
  };
}

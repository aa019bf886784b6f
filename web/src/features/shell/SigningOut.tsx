/** Signing out, with a question first where it would end a live session for people who are inside. */
import { isTherapist } from '@fieldroom/contract/accounts';
import { getRoom } from '@fieldroom/contract/clients';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import dialog from '../../ui/dialogs/Dialog.module.css';
import { signOut } from '../accounts/index.ts';

/** How many a sign-out would send home; 0 where that cannot be known, as then the server is not reached either. */
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
  /** Belongs into the page; null while nothing is asked. */
  question: ReactNode;
}

/** Takes what follows: called with the address to go to once this browser has forgotten the person. */
export function useSigningOut(onDone: (to: string) => unknown): SigningOut {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const [inside, setInside] = useState(0);

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
    question: (
      <Dialog
        opened={inside > 0}
        onClose={() => setInside(0)}
        size={560}
        busy={busy}
        title={t('signOut.title')}
        close={tc('close')}
      >
        <div className={dialog.scroll}>
          <p className={dialog.question}>{t('signOut.text', { count: inside })}</p>
        </div>
        <div className={dialog.acts}>
          <Button variant="default" data-autofocus disabled={busy} onClick={() => setInside(0)}>
            {t('signOut.stay')}
          </Button>
          <Button color="danger" loading={busy} onClick={() => void leave()}>
            {t('signOut.leave')}
          </Button>
        </div>
      </Dialog>
    ),
  };
}

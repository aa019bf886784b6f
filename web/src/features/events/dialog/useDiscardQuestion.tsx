/** The question whether to lose what was changed in a dialog, asked once on every way out of it. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import dialogStyles from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useUnloadWarning } from '../../../ui/dialogs/useUnloadWarning.ts';

export interface DiscardQuestion {
  /** Leaves the dialog; asks first where something was changed. */
  leave(): void;
  /** It is asked at the moment: the dialog behind waits. */
  asks: boolean;
  /** Stands beside the dialog. */
  question: ReactNode;
}

/** What it asks, in words: where they are not given, whether to lose changes. */
export interface DiscardWords {
  title: string;
  text: string;
  /** Words of the two answers. */
  keep: string;
  discard: string;
}

/** Takes whether leaving would lose something, and what leaves. The browser asks before the page itself goes. */
export function useDiscardQuestion(changed: boolean, onLeave: () => void, words?: DiscardWords): DiscardQuestion {
  const { t } = useTranslation('common');
  const { t: te } = useTranslation('events');
  const [asks, setAsks] = useState(false);
  useUnloadWarning(changed);
  const keep = () => setAsks(false);
  const discard = () => {
    setAsks(false);
    onLeave();
  };
  const leave = () => {
    if (!changed) return onLeave();
    // In a task of its own: each dialog hears every key, so the Escape that asks the question would answer it as well.
    setTimeout(() => setAsks(true));
  };
  const asked = words ?? {
    title: te('discard.title'),
    text: te('discard.text'),
    keep: te('discard.keep'),
    discard: te('edit.cancel'),
  };
  const question = (
    <Dialog opened={asks} onClose={keep} size={560} title={asked.title} close={t('close')}>
      <p className={dialogStyles.line}>{asked.text}</p>
      <div className={dialogStyles.acts}>
        <Button variant="default" onClick={keep}>
          {asked.keep}
        </Button>
        <Button color="danger" onClick={discard}>
          {asked.discard}
        </Button>
      </div>
    </Dialog>
  );
  return { leave, asks, question };
}

/** The question whether to discard changes in a dialog, asked once on every way out of it. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import dialogStyles from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useUnloadWarning } from '../../../ui/dialogs/useUnloadWarning.ts';

export interface DiscardQuestion {
  /** Leaves the dialog; asks first if something was changed. */
  leave(): void;
  /** It is being asked: the dialog behind waits. */
  asks: boolean;
  /** Mounted beside the dialog. */
  question: ReactNode;
}

/** The words of the question; by default, whether to discard changes. */
export interface DiscardWords {
  title: string;
  text: string;
  /** Labels of the two answers. */
  keep: string;
  discard: string;
}

/**
 * Takes whether leaving would lose something, and the function that leaves. The browser asks before the page itself
 * closes.
 */
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
    // In a separate task: each dialog receives every key, so the Escape that opens the question would also answer it.
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

/**
 * A modal on the browser's own `<dialog>`: what lies behind is inert, Tab stays inside, Escape closes, the focus moves
 * in and returns. The browser's back button closes it too. A click beside it discards nothing.
 */
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useBackCloses } from '../../../ui/dialogs/backCloses.ts';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './PageDialog.module.css';
import buttons from '../../../light/buttons.module.css';

export interface PageDialogProps {
  title: string;
  onClose(): void;
  /** Sending: it stays open until the answer arrives. */
  busy?: boolean;
  children: ReactNode;
}

const REACHABLE =
  'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), select:not([disabled])';

/** Mounted while it is open. The element with `data-first`, else the first field, gets the focus. */
export function PageDialog({ title, onClose, busy = false, children }: PageDialogProps) {
  const { t } = usePublicWords();
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
    (
      dialog?.querySelector<HTMLElement>('[data-first]') ??
      dialog?.querySelector<HTMLElement>('input, textarea, button')
    )?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const close = () => {
    if (!busy) onClose();
    return !busy;
  };
  useBackCloses(true, close);
  /** The browser closed it, as Android does at the second press of the back button, which nothing can prevent. */
  const onShut = () => {
    const dialog = box.current;
    if (!dialog || dialog.open) return;
    if (busy) dialog.showModal();
    else onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Only React decides when it closes; otherwise it would be closed and still mounted.
      event.preventDefault();
      close();
      return;
    }
    if (event.key !== 'Tab') return;
    // Tab would leave for the browser's own controls, so it cycles inside the dialog.
    const reachable = [...(box.current?.querySelectorAll<HTMLElement>(REACHABLE) ?? [])];
    const edge = event.shiftKey ? reachable[0] : reachable.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? reachable.at(-1) : reachable[0])?.focus();
  };
  return (
    <dialog
      ref={box}
      className={styles.dialog}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onClose={onShut}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className={styles.close}
          aria-label={t('close')}
          title={t('close')}
          aria-disabled={busy}
          onClick={close}
        >
          <IconX size={22} stroke={1.75} aria-hidden />
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

export interface FormActionsProps {
  /** The label of the submit button, also while sending. */
  send: string;
  /** Sending: both buttons wait for the answer. */
  busy: boolean;
  onBack(): void;
}

/** The buttons of a form in a dialog: back, and send. */
export function FormActions({ send, busy, onBack }: FormActionsProps) {
  const { t } = usePublicWords();
  return (
    <DialogActions>
      <button
        type="button"
        className={buttons.secondary}
        aria-disabled={busy}
        onClick={() => {
          if (!busy) onBack();
        }}
      >
        {t('finalize.back')}
      </button>
      <button type="submit" className={buttons.button} disabled={busy} aria-busy={busy}>
        {send}
      </button>
    </DialogActions>
  );
}

/** The messages of the room, read and written: beside the field on a desktop, a sheet over it on a phone. */
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBackCloses } from '../../../ui/dialogs/backCloses.ts';
import { QuietButton } from '../../../ui/controls/QuietButton.tsx';
import { useMessagesPart, useMessagesStore } from '../useMessages.ts';
import { ClientsSwitch } from './ClientsSwitch.tsx';
import { MessageInput, type WritingPerson } from './MessageInput.tsx';
import { MessageList } from './MessageList.tsx';
import styles from './MessagesPanel.module.css';
import { useKeyboardSpace } from './useKeyboardSpace.ts';

export interface MessagesPanelProps extends WritingPerson {
  /** Content above the messages. */
  children?: ReactNode;
}

/**
 * Focuses the input when it opens. Escape and the browser's back button close it. Clients who may not write can still
 * read.
 */
export function MessagesPanel(props: MessagesPanelProps) {
  const { as, therapist, people } = props;
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const mayWrite = useMessagesPart((model) => as === 'therapist' || model.clientsMayWrite);
  const panel = useRef<HTMLElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const space = useKeyboardSpace();

  useBackCloses(true, () => store.setOpen(false));
  const shown = useRef(false);

  useEffect(() => {
    // Later only if the focus was in an input that was added or removed: it is not taken from elsewhere.
    const focusLost = document.activeElement === null || document.activeElement === document.body;
    if (!shown.current || focusLost)
      (input.current ?? panel.current?.querySelector('button'))?.focus({ preventScroll: true });
    shown.current = true;
  }, [mayWrite]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    // The field would cancel its drag.
    event.stopPropagation();
    store.setOpen(false);
  };

  return (
    <aside
      ref={panel}
      className={styles.panel}
      data-as={as}
      style={space}
      aria-label={t('heading')}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={styles.head}>
        <h2>{t('heading')}</h2>
        <QuietButton size="small" label={t('close')} onClick={() => store.setOpen(false)}>
          <IconX size={20} stroke={1.75} aria-hidden />
        </QuietButton>
      </header>
      {as === 'therapist' && <ClientsSwitch />}
      {props.children}
      <MessageList
        as={as}
        therapist={therapist}
        people={people}
        onReply={(to, toName) => {
          store.edit({ to, toName });
          input.current?.focus();
        }}
      />
      {mayWrite ? <MessageInput {...props} input={input} /> : <ReadOnly therapistName={therapist.name} />}
    </aside>
  );
}

/** Says that clients may not write now. A draft or a refused text stays readable. */
function ReadOnly({ therapistName }: { therapistName: string }) {
  const { t } = useTranslation('messages');
  const text = useMessagesPart((model) => model.draft.text);
  return (
    <div className={styles.readOnly}>
      <p role="status">{t('off', { name: therapistName })}</p>
      {text.trim() !== '' && (
        <textarea className={styles.input} rows={2} readOnly value={text} aria-label={t('input.kept')} />
      )}
    </div>
  );
}

/** The therapist lets clients write, or stops them (docs/product.md#6.7). */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../../ui/controls/Switch.tsx';
import { useMessagesPart, useMessagesStore } from '../useMessages.ts';
import styles from './MessagesPanel.module.css';

export function ClientsSwitch() {
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const allowed = useMessagesPart((model) => model.clientsMayWrite);
  const known = useMessagesPart((model) => model.liveSessionId !== null);
  /** What was asked for and is not answered yet. */
  const [asked, setAsked] = useState<boolean | null>(null);
  const [failed, setFailed] = useState(false);
  const turn = async (mayWrite: boolean) => {
    setAsked(mayWrite);
    setFailed(false);
    await store.allowClients(mayWrite).catch(() => setFailed(true));
    setAsked(null);
  };
  return (
    <div className={styles.switch}>
      <span id="messages-switch">{t('switch.label')}</span>
      <Switch labelledBy="messages-switch" on={asked ?? allowed} disabled={!known} onTurn={(on) => void turn(on)} />
      {failed && <p role="alert">{t('switch.failed')}</p>}
    </div>
  );
}

/** The therapist lets clients write, or stops them (docs/product.md#6.7). */
import { useTranslation } from 'react-i18next';
import { useServerSwitch } from '../../../platform/forms/useServerSwitch.ts';
import { Switch } from '../../../ui/controls/choices/Switch.tsx';
import { useMessagesPart, useMessagesStore } from '../useMessages.ts';
import styles from './MessagesPanel.module.css';

/**
 * The switch in the therapist's panel of messages. It shows the wanted state until the server has confirmed it, and is
 * disabled until the live session is known.
 */
export function ClientsSwitch() {
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const allowed = useMessagesPart((model) => model.clientsMayWrite);
  const known = useMessagesPart((model) => model.liveSessionId !== null);
  const { asked, failed, turn } = useServerSwitch((mayWrite) => store.allowClients(mayWrite));
  return (
    <div className={styles.switch}>
      <span id="messages-switch">{t('switch.label')}</span>
      <Switch labelledBy="messages-switch" on={asked ?? allowed} disabled={!known} onTurn={turn} />
      {failed && <p role="alert">{t('switch.failed')}</p>}
    </div>
  );
}

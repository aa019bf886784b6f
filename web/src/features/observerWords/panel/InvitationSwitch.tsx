/** The therapist invites words of people without a role, or ends the invitation (docs/product.md#6.30). */
import { useTranslation } from 'react-i18next';
import { useServerSwitch } from '../../../platform/forms/useServerSwitch.ts';
import { Switch } from '../../../ui/controls/choices/Switch.tsx';
import { useObserverWordsPart, useObserverWordsStore } from '../useObserverWords.ts';
import styles from './WordsPanel.module.css';

/** Shows the wanted state until the server has confirmed it, and shows an error if the change failed. */
export function InvitationSwitch() {
  const { t } = useTranslation('observerWords');
  const store = useObserverWordsStore();
  const invited = useObserverWordsPart((model) => model.invited);
  const { asked, failed, turn } = useServerSwitch((on) => store.invite(on));
  return (
    <div className={styles.invitation}>
      <div>
        <strong id="words-title">{t('switch.title')}</strong>
        <span>{t('switch.hint')}</span>
        {failed && <span role="alert">{t('switch.failed')}</span>}
      </div>
      <Switch labelledBy="words-title" on={asked ?? invited} disabled={false} onTurn={turn} />
    </div>
  );
}

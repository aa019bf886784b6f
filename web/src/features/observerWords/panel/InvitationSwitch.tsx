/** The therapist invites words of those without a role, or ends the invitation (docs/product.md#6.30). */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../../ui/controls/Switch.tsx';
import { useObserverWordsPart, useObserverWordsStore } from '../useObserverWords.ts';
import styles from './WordsPanel.module.css';

export function InvitationSwitch() {
  const { t } = useTranslation('observerWords');
  const store = useObserverWordsStore();
  const invited = useObserverWordsPart((model) => model.invited);
  /** What was asked for and is not answered yet. */
  const [asked, setAsked] = useState<boolean | null>(null);
  const [failed, setFailed] = useState(false);
  const turn = async (on: boolean) => {
    setAsked(on);
    setFailed(false);
    await store.invite(on).catch(() => setFailed(true));
    setAsked(null);
  };
  return (
    <div className={styles.invitation}>
      <div>
        <strong id="words-title">{t('switch.title')}</strong>
        <span>{t('switch.hint')}</span>
        {failed && <span role="alert">{t('switch.failed')}</span>}
      </div>
      <Switch labelledBy="words-title" on={asked ?? invited} disabled={false} onTurn={(on) => void turn(on)} />
    </div>
  );
}

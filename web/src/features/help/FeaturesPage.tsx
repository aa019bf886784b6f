import { useTranslation } from 'react-i18next';
import dashboard from './pictures/dashboard.webp';
import door from './pictures/door.webp';
import event from './pictures/event.webp';
import field from './pictures/field.webp';
import room from './pictures/room.webp';
import sessions from './pictures/sessions.webp';
import styles from './FeaturesPage.module.css';

/** In the order of the texts, from the demo practice, 960 × 600 px each. */
const PICTURES = [field, room, door, event, sessions, dashboard];

/** What Fieldroom can do (/app/features), with pictures of it. */
export function FeaturesPage() {
  const { t } = useTranslation('help');
  const parts = t('features.parts', { returnObjects: true }) as { title: string; text: string; picture: string }[];
  return (
    <div className={styles.features}>
      <p className={styles.lead}>{t('features.lead')}</p>
      {parts.map(({ title, text, picture }, index) => (
        <section key={title} className={styles.part}>
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
          <img src={PICTURES[index]} alt={picture} width={960} height={600} loading={index > 1 ? 'lazy' : 'eager'} />
        </section>
      ))}
    </div>
  );
}

/** The switch between the three layouts, while this person takes part; `LazyLayoutSwitch` fetches it then. */
import { useTranslation } from 'react-i18next';
import { LAYOUT_ICONS } from './layoutIcons.ts';
import { useLayoutKeys } from './useLayoutKeys.ts';
import { type Layout, LAYOUTS } from '../store/videoModel.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';
import styles from '../video.module.css';

/** Field, half and half, video only: one key each (1, 2, 3) while this person takes part. */
export function LayoutSwitch() {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const layout = useVideoPart((model) => model.view.layout);
  const taking = useVideoPart(takesPart);
  useLayoutKeys();
  if (!taking) return null;
  return (
    <div className={styles.layouts} data-room="layouts" role="radiogroup" aria-label={t('layout.label')}>
      {LAYOUTS.map((name: Layout, index) => {
        const Icon = LAYOUT_ICONS[name];
        return (
          <button
            key={name}
            type="button"
            role="radio"
            aria-label={t(`layout.${name}`)}
            aria-checked={layout === name}
            tabIndex={layout === name ? 0 : -1}
            aria-keyshortcuts={String(index + 1)}
            data-hint={`${t(`layout.${name}`)} (${index + 1})`}
            data-side="below"
            onClick={() => store.setView({ layout: name })}
            onKeyDown={(event) => {
              const step =
                event.key === 'ArrowRight' || event.key === 'ArrowDown'
                  ? 1
                  : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
                    ? -1
                    : 0;
              if (step === 0) return;
              event.preventDefault();
              event.stopPropagation();
              const to = (index + step + LAYOUTS.length) % LAYOUTS.length;
              store.setView({ layout: LAYOUTS[to] as Layout });
              (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
            }}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
            <span>{t(`layout.${name}`)}</span>
          </button>
        );
      })}
    </div>
  );
}

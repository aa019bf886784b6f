/** The switch between the three layouts, while this person takes part; `LazyLayoutSwitch` fetches it then. */
import { useTranslation } from 'react-i18next';
import { LazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { LAYOUT_ICONS } from './layoutIcons.ts';
import { LayoutItems } from './LayoutItems.tsx';
import { useLayoutKeys } from './useLayoutKeys.ts';
import { type Layout, LAYOUTS } from '../store/videoModel.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';
import styles from '../video.module.css';

/** From this width on the room's bar has room for the words of all three. */
const ROOM_FOR_WORDS = '(min-width: 1100px)';

/** Field, half and half, video only: one key each (1, 2, 3) while this person takes part. */
export function LayoutSwitch() {
  const taking = useVideoPart(takesPart);
  const roomy = useMediaQuery(ROOM_FOR_WORDS);
  useLayoutKeys();
  if (!taking) return null;
  return roomy ? <LayoutChoice /> : <LayoutMenu />;
}

/** One button with a word; the three are in its menu. */
function LayoutMenu() {
  const { t } = useTranslation('video');
  const layout = useVideoPart((model) => model.view.layout);
  const Icon = LAYOUT_ICONS[layout];
  return (
    <span className={styles.layouts} data-room="layouts">
      <LazyMenu
        position="bottom"
        target={
          <button type="button" aria-label={`${t('layout.label')}: ${t(`layout.${layout}`)}`}>
            <Icon size={18} stroke={1.75} aria-hidden />
            <span>{t('layout.label')}</span>
          </button>
        }
      >
        {(Menu) => <LayoutItems menu={Menu} />}
      </LazyMenu>
    </span>
  );
}

function LayoutChoice() {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const layout = useVideoPart((model) => model.view.layout);
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

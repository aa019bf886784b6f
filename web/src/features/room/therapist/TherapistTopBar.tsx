/** The therapist's top bar: code and link for clients, layout of the video, the list of people. */
import { DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconLink, IconRefresh, IconUsers } from '@tabler/icons-react';
import { type ReactNode, type Ref, use } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../../ui/figures/index.ts';
import { LazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { ROOMY_SCREEN, useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { LazyBugReport } from '../../bugReports/index.ts';
import { MessagesButton } from '../../messages/index.ts';
import { LazyRoomTimerBadge } from '../../usage/index.ts';
import { LazyLayoutSwitch, useLayout } from '../../video/index.ts';
import { AppExitContext } from '../leaving/appExit.ts';
import { useRoomPart } from '../store/useRoom.ts';
import type { TherapistRoomState } from './useTherapistRoom.ts';
import styles from './TherapistTopBar.module.css';
import frame from '../frame/RoomFrame.module.css';

interface TherapistTopBarProps {
  state: TherapistRoomState;
  firstName: string;
  /** Elements that a phone adds at the end. */
  children: ReactNode;
  /** The place of the timer. */
  timer: Ref<HTMLSpanElement>;
}

/**
 * Shows less in less space: on a phone the link and the layouts are in its menu, and in a narrow window the timer is
 * short.
 */
export function TherapistTopBar({ state, firstName, timer, children }: TherapistTopBarProps) {
  const { t } = useTranslation('room');
  const { taking } = useLayout();
  const roomy = useMediaQuery(ROOMY_SCREEN);
  return (
    <section className={frame.top} data-room="top" aria-label={t('title', { name: firstName })}>
      <HomeLink />
      <h1>{t('title', { name: firstName })}</h1>
      <span className={frame.space} />
      {!state.phone && <LazyLayoutSwitch />}
      {!state.phone && <span className={frame.space} />}
      <span ref={timer} className={frame.timer}>
        <LazyRoomTimerBadge short={state.phone || !state.wide || (taking && !roomy)} />
      </span>
      <LazyBugReport className={frame.smiley} />
      <CodeAndLink state={state} />
      <MessagesButton />
      {!state.wide && <PeopleButton state={state} />}
      {children}
    </section>
  );
}

function HomeLink() {
  const { t } = useTranslation('room');
  const Link = use(AppExitContext)?.Link;
  const given = { className: styles.home, 'aria-label': t('top.back') };
  const logo = <Logo size={30} />;
  return Link ? (
    <Link to={DASHBOARD_PAGE} {...given}>
      {logo}
    </Link>
  ) : (
    <a href={DASHBOARD_PAGE} {...given}>
      {logo}
    </a>
  );
}

function CodeAndLink({ state: { room, link, phone, copyCode, copyLink, renewCode } }: { state: TherapistRoomState }) {
  const { t } = useTranslation('room');
  return (
    <div className={styles.chip} data-joining>
      {room?.code && (
        <button type="button" data-code aria-label={t('top.copyCode', { code: room.code })} onClick={copyCode}>
          <span className={styles.long}>{t('top.code')}</span> <strong data-testid="room-code">{room.code}</strong>
        </button>
      )}
      {/* A phone has the rest under “More”. */}
      {!phone && (
        <button
          type="button"
          onClick={copyLink}
          data-link={link}
          aria-label={t('top.copyLink')}
          title={t('top.copyLink')}
        >
          <IconLink size={18} stroke={1.75} aria-hidden />
          <span className={styles.long}>{t('top.copyLink')}</span>
          <span className={styles.brief}>{t('top.link')}</span>
        </button>
      )}
      {!phone && (
        <LazyMenu
          position="bottom-end"
          target={
            <button type="button" aria-label={t('top.renewCode')} title={t('top.renewCode')}>
              <IconChevronDown size={16} aria-hidden />
            </button>
          }
        >
          {(Menu) => (
            <Menu.Item leftSection={<IconRefresh size={18} stroke={1.75} />} onClick={renewCode}>
              {t('top.renewCode')}
            </Menu.Item>
          )}
        </LazyMenu>
      )}
    </div>
  );
}

function PeopleButton({ state: { panel } }: { state: TherapistRoomState }) {
  const { t } = useTranslation('room');
  const count = useRoomPart((model) => model.waiting.length);
  return (
    <span className={frame.panelHint} data-hint={t('top.people')} data-side="below">
      <ActionIcon
        className={styles.panelToggle}
        variant="default"
        size={44}
        aria-expanded={panel.open}
        aria-label={count > 0 ? t('top.peopleWaiting', { count }) : t('top.people')}
        onClick={() => panel.setOpen((open) => !open)}
      >
        {count > 0 ? <span className={styles.badge}>{count}</span> : <IconUsers size={22} stroke={1.75} />}
      </ActionIcon>
    </span>
  );
}

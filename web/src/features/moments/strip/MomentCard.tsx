/** One moment: its picture and name, and a menu with its acts. */
import type { Moment } from '@fieldroom/contract/moments';
import { IconArrowBack, IconColumns2, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Menu } from '@mantine/core';
import { useOpened } from '../../../ui/dialogs/backCloses.ts';
import type { FieldGround } from '../../field/picture/index.ts';
import { useMomentWords } from '../useMomentWords.ts';
import { MomentPicture } from './MomentPicture.tsx';
import styles from './strip.module.css';

/** The acts on a moment; going back exists only in the room. */
export interface MomentActs {
  onGoBack?: (moment: Moment) => void;
  onCompare(moment: Moment): void;
  onLookBack(moment: Moment): void;
  onRename(moment: Moment): void;
  onDelete(moment: Moment): void;
}

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/**
 * A card of the strip, and of the details of a past live session. Without a name, a moment is shown with number and
 * time.
 */
export function MomentCard({ moment, ground, acts }: { moment: Moment; ground: FieldGround | null; acts: MomentActs }) {
  const { t } = useTranslation('moments');
  const say = useMomentWords();
  const name = say.moment(moment);
  const time = moment.name === null ? null : say.time(moment.keptOn);
  const { onGoBack } = acts;
  const menu = useOpened();
  return (
    <li className={styles.card}>
      <Menu {...menu} position="top-start" withinPortal>
        <Menu.Target>
          <button
            type="button"
            className={styles.open}
            // Including all visible text: people who use speech input say what they see.
            aria-label={t('options', { name: time === null ? name : `${name} ${time}` })}
            data-moment={moment.number}
          >
            <MomentPicture moment={moment} ground={ground} />
            <span className={styles.name} dir="auto">
              {name}
            </span>
            {time === null ? null : <span className={styles.time}>{` ${time}`}</span>}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {onGoBack ? (
            <Menu.Item leftSection={<IconArrowBack {...icon} />} onClick={() => onGoBack(moment)}>
              {t('goBack.item')}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<IconColumns2 {...icon} />} onClick={() => acts.onCompare(moment)}>
            {t('compare.item')}
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => acts.onLookBack(moment)}>
            {t('replay.item')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => acts.onRename(moment)}>
            {t('rename.item')}
          </Menu.Item>
          <Menu.Item color="danger" leftSection={<IconTrash {...icon} />} onClick={() => acts.onDelete(moment)}>
            {t('delete.item')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

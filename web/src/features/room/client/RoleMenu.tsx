/** The client's role, at the top of the room; with several figures, a menu to choose the active one. */
import type { Figure } from '@fieldroom/contract/field';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { LazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { figureName } from '../../field/index.ts';
import type { OwnRole } from './useOwnRole.ts';
import styles from './RoleMenu.module.css';

interface RoleMenuProps {
  role: OwnRole;
  therapistName: string;
  scheme: 'light' | 'dark';
  onChoose(figureId: number): void;
}

/**
 * With one figure it is plain text; without one it says that the client watches. `onChoose` makes a figure the active
 * role (docs/product.md#5.4).
 */
export function RoleMenu({ role: { held, active }, therapistName, scheme, onChoose }: RoleMenuProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const several = held.length > 1;
  const label = active ? (
    <RoleLabel figure={active} scheme={scheme} several={several} />
  ) : (
    <WatchingLabel therapistName={therapistName} />
  );
  if (!several) {
    return (
      <div className={styles.role} data-watching={!active || undefined}>
        {label}
      </div>
    );
  }
  const activeName = active ? figureName(tf, active) : '';
  return (
    <LazyMenu
      position="bottom-start"
      target={
        <button
          type="button"
          className={styles.role}
          aria-label={`${t('client.standFor')} ${activeName}. ${t('client.choose')}`}
        >
          {label}
        </button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{t('client.choose')}</Menu.Label>
          {held.map((figure) => (
            <Menu.RadioItem
              key={figure.id}
              value={String(figure.id)}
              checked={figure.id === active?.id}
              closeMenuOnClick
              rightSection={<Picture figure={figure} scheme={scheme} size={26} />}
              onChange={() => onChoose(figure.id)}
            >
              <bdi>{figureName(tf, figure)}</bdi>
            </Menu.RadioItem>
          ))}
        </>
      )}
    </LazyMenu>
  );
}

function RoleLabel({ figure, scheme, several }: { figure: Figure; scheme: 'light' | 'dark'; several: boolean }) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  return (
    <>
      <span>{t('client.standFor')}</span>
      <strong>
        <Picture figure={figure} scheme={scheme} size={28} />
        <em data-testid="own-role" dir="auto">
          {figureName(tf, figure)}
        </em>
        {several && <IconChevronDown size={18} aria-hidden />}
      </strong>
    </>
  );
}

function WatchingLabel({ therapistName }: { therapistName: string }) {
  const { t } = useTranslation('room');
  return (
    <>
      <span>{t('client.watchingHint', { name: therapistName })}</span>
      <strong>
        <em>{t('client.watching')}</em>
      </strong>
    </>
  );
}

/** Nothing for the therapist's own icons, which have no small picture. */
function Picture({ figure, scheme, size }: { figure: Figure; scheme: 'light' | 'dark'; size: number }) {
  return figure.iconType === 'CUSTOM' ? null : (
    <FigureIcon kind={figure.iconType} tone={figure.color} scheme={scheme} size={size} />
  );
}

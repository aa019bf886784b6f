import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FigureIcon } from '../../ui/figures/index.ts';
import notice from '../../ui/noticePage.module.css';
import { useAppearance } from '../../ui/theme/appearance.ts';
import { crumbsOf } from './mainMenu.ts';

/** A page that the menu knows and that is not there yet: says so, and how to get back. */
export function ComingSoonPage() {
  const { t } = useTranslation('shell');
  const { scheme } = useAppearance();
  const { pathname } = useLocation();
  const name = t([`menu.${crumbsOf(pathname).at(-1)?.key}`, 'menu.unknown']);
  return (
    <div className={notice.notice}>
      <div className={notice.figures} aria-hidden>
        <FigureIcon kind="MALE_FIGURE" tone="#2B549D" scheme={scheme} size={64} rotation={60} />
        <FigureIcon kind="FEMALE_CIRCLE" tone="#D7739C" scheme={scheme} size={54} rotation={-50} />
      </div>
      <h2 className={notice.title}>{t('building.title')}</h2>
      <p className={notice.text}>{t('building.text', { name })}</p>
      <Button component={Link} to="/app/dashboard" variant="default">
        {t('building.back')}
      </Button>
    </div>
  );
}

import { DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './Shell.module.css';

interface Crumb {
  key: string;
  to: string;
}

interface PageHeadingProps {
  name: string;
  crumbs: readonly Crumb[];
  isClient: boolean;
}

/**
 * The name of a page, its purpose on small screens, which do not show it at once, and the breadcrumb from the
 * dashboard. A client has no dashboard, so their breadcrumb is only the page. The outline shows name and purpose
 * already (docs/product.md#11.66).
 */
export function PageHeading({ name, crumbs, isClient }: PageHeadingProps) {
  const { t } = useTranslation('shell');
  const way = isClient ? crumbs.slice(-1) : [{ key: 'dashboard', to: DASHBOARD_PAGE }, ...crumbs.slice(1)];
  const lead = t(`lead.${crumbs.at(-1)?.key}`, { defaultValue: '' });
  const word = ({ key }: Crumb) => t([`menu.${key}`, 'menu.unknown']);
  return (
    <div className={styles.heading}>
      <nav aria-label={t('breadcrumb')}>
        <ol className={styles.crumbs}>
          {way.slice(0, -1).map((crumb) => (
            <li key={crumb.to}>
              <Link to={crumb.to}>{word(crumb)}</Link>
              <IconChevronRight size={16} stroke={1.75} aria-hidden />
            </li>
          ))}
          {way.slice(-1).map((crumb) => (
            <li key={crumb.to}>
              <span aria-current="page">{word(crumb)}</span>
            </li>
          ))}
        </ol>
      </nav>
      <h1 className={styles.title}>{name}</h1>
      {lead ? <p className={styles.lead}>{lead}</p> : null}
    </div>
  );
}

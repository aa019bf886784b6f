/**
 * The switch between light and dark where it is not needed at once: in the room, and on pages that failed to load. It
 * is not part of the room's first files.
 */
import { createElement } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';

const schemeSwitch = lazyPart(() => import('../../light/SchemeSwitch.tsx').then((module) => module.SchemeSwitch));

/** The width and height of the switch in px: its space is reserved until it is loaded. */
const SIZE = 44;

/** Reserves a square of 44 px until the switch is loaded. */
export function LazySchemeSwitch({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('common');
  const there = useLazyPart(schemeSwitch, true);
  return (
    <span className={className} style={{ flex: 'none', width: SIZE, height: SIZE }}>
      {there && createElement(there, { label: t('dark') })}
    </span>
  );
}

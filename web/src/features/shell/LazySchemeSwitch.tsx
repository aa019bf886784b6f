/**
 * The switch between light and dark where it is not needed at once: in the room, and where a page did not come. The
 * room's first files are without it.
 */
import { createElement } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';

const schemeSwitch = lazyPart(() => import('../../light/SchemeSwitch.tsx').then((module) => module.SchemeSwitch));

/** The width and height of the switch in px: its place is kept until it is there. */
const SIZE = 44;

/** Keeps a square of 44 px until the switch has come. */
export function LazySchemeSwitch({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('common');
  const there = useLazyPart(schemeSwitch, true);
  return (
    <span className={className} style={{ flex: 'none', width: SIZE, height: SIZE }}>
      {there && createElement(there, { label: t('dark') })}
    </span>
  );
}

/** The panel at the side in which a person chooses how Fieldroom looks; what is chosen shows at once. */
import { Modal } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioList } from '../../../ui/RadioList.tsx';
import { setAppearance, useAppearance } from '../../../ui/theme/appearance.ts';
import { PALETTES, type Palette, type Radius, type Scheme } from '../../../ui/theme/palettes.ts';
import styles from './ColourPanel.module.css';

export interface ColourPanelProps {
  opened: boolean;
  onClose(): void;
}

const SCHEMES: readonly Scheme[] = ['light', 'dark'];
const RADII: readonly Radius[] = ['rounded', 'flat'];
/** Its head is a `<header>`, which screen readers would take for a second banner of the page. */
const NO_LANDMARK = { header: { role: 'presentation' } };
/** The page stays to be seen beside the panel, so that a choice can be judged. */
const CLEAR = { backgroundOpacity: 0 };
const SLIDE = { transition: 'slide-left' } as const;
const PARTS = { inner: styles.inner ?? '', content: styles.panel ?? '', title: styles.title ?? '' };

/** docs/product.md#11.2 */
export function ColourPanel({ opened, onClose }: ColourPanelProps) {
  const { t } = useTranslation('shell');
  const { palette, scheme, radius } = useAppearance();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={340}
      transitionProps={SLIDE}
      title={t('colours.title')}
      overlayProps={CLEAR}
      returnFocus={false}
      attributes={NO_LANDMARK}
      classNames={PARTS}
      closeButtonProps={{ 'aria-label': t('colours.close') }}
    >
      <div className={styles.choices}>
        <Palettes chosen={palette} />
        <RadioList
          question={t('colours.scheme')}
          answers={SCHEMES.map((value) => ({ value, words: t(`colours.schemes.${value}`) }))}
          value={scheme}
          onChange={(value) => setAppearance({ scheme: value })}
        />
        <RadioList
          question={t('colours.radius')}
          answers={RADII.map((value) => ({ value, words: t(`colours.radii.${value}`) }))}
          value={radius}
          onChange={(value) => setAppearance({ radius: value })}
        />
      </div>
    </Modal>
  );
}

function Palettes({ chosen }: { chosen: Palette }) {
  const { t } = useTranslation('shell');
  const name = useId();
  return (
    <fieldset className={styles.palettes}>
      <legend>{t('colours.palette')}</legend>
      {PALETTES.map((palette) => (
        <label key={palette}>
          <input type="radio" name={name} checked={palette === chosen} onChange={() => setAppearance({ palette })} />
          <span className={styles.swatch} style={{ background: `var(--fr-swatch-${palette})` }} aria-hidden />
          <span>{t(`colours.palettes.${palette}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

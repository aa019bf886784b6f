/** The panel at the side in which a person chooses how Fieldroom looks; choices apply at once. */
import { type Palette, PALETTES } from '@fieldroom/contract/colours/palettes';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioList } from '../../../ui/controls/choices/RadioList.tsx';
import { SidePanel } from '../../../ui/dialogs/SidePanel.tsx';
import { setAppearance, useAppearance } from '../../../ui/theme/appearance.ts';
import type { Radius, Scheme } from '../../../ui/theme/palettes.ts';
import { MENU_TYPES } from '../menu/menuLayout.ts';
import { setMenuType, useMenuType } from '../menu/menuType.ts';
import styles from './ColourPanel.module.css';

export interface ColourPanelProps {
  opened: boolean;
  onClose(): void;
}

const SCHEMES: readonly Scheme[] = ['light', 'dark'];
const RADII: readonly Radius[] = ['rounded', 'flat'];

/** docs/product.md#11.2 */
export function ColourPanel({ opened, onClose }: ColourPanelProps) {
  const { t } = useTranslation('shell');
  const { palette, scheme, radius } = useAppearance();
  const menuType = useMenuType();
  return (
    <SidePanel opened={opened} onClose={onClose} size={340} title={t('colours.title')} close={t('colours.close')}>
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
        <RadioList
          question={t('colours.menu')}
          answers={MENU_TYPES.map((value) => ({ value, words: t(`colours.menus.${value}`) }))}
          value={menuType}
          onChange={setMenuType}
        />
      </div>
    </SidePanel>
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

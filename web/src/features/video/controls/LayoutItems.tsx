/** The three layouts as entries of a menu: on a phone, and in a bar without room for their words. */
import { useTranslation } from 'react-i18next';
import type { MenuParts } from '../../../ui/lazy/LazyMenu.tsx';
import { LAYOUT_ICONS } from './layoutIcons.ts';
import { LAYOUTS } from '../store/videoModel.ts';
import { useVideoPart, useVideoStore } from '../store/useVideo.ts';

/** Takes the parts of the surrounding menu (`LazyMenu`). */
export function LayoutItems({ menu: Menu }: { menu: MenuParts }) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const layout = useVideoPart((model) => model.view.layout);
  return LAYOUTS.map((name) => {
    const Icon = LAYOUT_ICONS[name];
    return (
      <Menu.RadioItem
        key={name}
        value={name}
        checked={layout === name}
        closeMenuOnClick
        rightSection={<Icon size={18} stroke={1.75} aria-hidden />}
        onChange={() => store.setView({ layout: name })}
      >
        {t(`layout.${name}`)}
      </Menu.RadioItem>
    );
  });
}

/** The therapist's own SVG icons: upload, use, delete. They are only shown as pictures (docs/product.md#13.10). */
import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type Icon, FIGURE_COLORS, ICON_BYTES_MAX, ICON_NAME_MAX } from '@fieldroom/contract/field';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIRST_COLOR } from '../figureLabels.ts';
import { freePlace } from '../tools/freePlace.ts';
import { useFieldStore, useShownFigure } from '../useField.ts';
import type { IconLibrary } from './iconLibrary.ts';
import parts from '../../../ui/roomParts.module.css';
import styles from './IconsDialog.module.css';
import dialog from '../../../ui/dialogs/dialogParts.module.css';
import { Modal } from '../../../ui/dialogs/Modal.tsx';

export interface IconsDialogProps {
  opened: boolean;
  library: IconLibrary;
  /** The icon that a search leads to; null if there is none. */
  foundId: number | null;
  /** The chosen figure, which may use an icon. */
  chosenId: number | null;
  onClose(): void;
  onTold(text: string): void;
}

const bringIntoView = (card: HTMLElement | null) => card?.scrollIntoView({ block: 'center' });

/**
 * A dialog of the therapist's room. Icons can be put on the field or on the selected figure, uploaded, and deleted
 * after a second press. Refusals are explained: unsafe, unreadable, too large, in use, quota reached. `onTold` gets the
 * messages for the room.
 */
export function IconsDialog({ opened, library, foundId, chosenId, onClose, onTold }: IconsDialogProps) {
  const { t } = useTranslation('field');
  const store = useFieldStore();
  const chosen = useShownFigure(chosenId);
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [asking, setAsking] = useState<number | null>(null);

  const faultText = (code: string) => {
    if (code === 'icon_unsafe') return t('icons.unsafe');
    if (code === 'icon_in_use') return t('icons.inUse');
    if (code === 'quota_reached') return t('icons.quota');
    if (code === 'payload_too_large') return t('icons.tooLarge');
    if (code === 'icon_unreadable' || code === 'invalid_input') return t('icons.unreadable');
    return t('refused.other');
  };

  const upload = async (chosenFile: File) => {
    setFault(null);
    if (chosenFile.size > ICON_BYTES_MAX) {
      setFault(t('icons.tooLarge'));
      return;
    }
    setBusy(true);
    // The file may have been deleted since it was chosen.
    const drawing = await chosenFile.text().catch(() => null);
    const name = chosenFile.name.replace(/\.svg$/i, '').slice(0, ICON_NAME_MAX);
    const stored =
      drawing === null ? ({ ok: false, code: 'icon_unreadable' } as const) : await library.save(name, drawing);
    setBusy(false);
    if (file.current) file.current.value = '';
    if (stored.ok) onTold(t('icons.stored', { name: stored.icon.name }));
    else setFault(faultText(stored.code));
  };
  const remove = async (icon: Icon) => {
    setFault(null);
    setAsking(null);
    const done = await library.remove(icon.id);
    if (done.ok) onTold(t('icons.deleted', { name: icon.name }));
    else setFault(faultText(done.code));
  };
  const use = (icon: Icon) => {
    store.act({
      kind: 'add',
      figure: {
        iconType: 'CUSTOM',
        iconId: icon.id,
        name: icon.name,
        color: FIGURE_COLORS[FIRST_COLOR.CUSTOM],
        ...freePlace(store.get()),
      },
    });
    onClose();
  };

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('icons.title')}
      size={700}
      closeButtonProps={{ 'aria-label': t('rail.close') }}
    >
      <p className={dialog.line}>{t('icons.hint')}</p>
      {fault && (
        <p className={dialog.fault} role="alert">
          {fault}
        </p>
      )}
      {library.icons === null ? (
        <div className={styles.icons} aria-busy="true">
          {[0, 1, 2].map((index) => (
            <div key={index} className={`${parts.skeleton} ${styles.card}`} />
          ))}
        </div>
      ) : library.icons.length === 0 ? (
        <strong className={styles.empty}>{t('icons.empty')}</strong>
      ) : (
        <ul className={styles.icons}>
          {library.icons.map((icon) => (
            <li
              key={icon.id}
              className={styles.card}
              aria-current={icon.id === foundId || undefined}
              ref={icon.id === foundId ? bringIntoView : null}
            >
              <span className={styles.picture}>
                {library.urls.get(icon.id) && (
                  <img src={library.urls.get(icon.id)} alt="" width={icon.width * 1.6} height={icon.height * 1.6} />
                )}
              </span>
              <strong title={icon.name}>{icon.name}</strong>
              {asking === icon.id ? (
                <span className={styles.acts}>
                  <Button size="xs" variant="default" onClick={() => setAsking(null)}>
                    {t('icons.keep')}
                  </Button>
                  <Button size="xs" color="danger" onClick={() => remove(icon)}>
                    {t('icons.deleteSure')}
                  </Button>
                </span>
              ) : (
                <span className={styles.acts}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('icons.useName', { name: icon.name })}
                    onClick={() => use(icon)}
                  >
                    {t('icons.use')}
                  </Button>
                  {chosen && (
                    <Button
                      size="xs"
                      variant="subtle"
                      onClick={() => {
                        store.act({ kind: 'edit', figureId: chosen.id, iconType: 'CUSTOM', iconId: icon.id });
                        onClose();
                      }}
                    >
                      {t('icons.wear')}
                    </Button>
                  )}
                  <Button size="xs" variant="subtle" color="danger" onClick={() => setAsking(icon.id)}>
                    {t('icons.delete', { name: icon.name })}
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <input
        ref={file}
        type="file"
        accept=".svg,image/svg+xml"
        hidden
        data-testid="icon-file"
        onChange={(event) => {
          const picked = event.currentTarget.files?.[0];
          if (picked) void upload(picked);
        }}
      />
      <div className={dialog.acts}>
        <Button
          leftSection={<IconUpload size={18} stroke={1.75} />}
          loading={busy}
          onClick={() => file.current?.click()}
        >
          {busy ? t('icons.uploading') : t('icons.upload')}
        </Button>
      </div>
    </Modal>
  );
}

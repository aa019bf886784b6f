/** Chooses the event's picture: a new one, cropped to the frame by hand or keys, or one of the earlier ones. */
import { Button } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import dialog from '../../../ui/Dialog.module.css';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import type { EarlierPicture } from '../eventsApi.ts';
import { CropFrame } from './CropFrame.tsx';
import { OwnPicture } from './OwnPicture.tsx';
import { type Picture, PICTURE_TYPES, type PictureFault, pictureFault } from './pictureFile.ts';
import styles from './PictureDialog.module.css';

export interface PictureDialogProps {
  opened: boolean;
  onClose(): void;
  picture: Picture;
  onPick(picture: Picture): void;
  earlier: readonly EarlierPicture[];
}

export function PictureDialog({ opened, onClose, picture, onPick, earlier }: PictureDialogProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const input = useRef<HTMLInputElement>(null);
  /** Address of the file that is being cropped. */
  const [source, setSource] = useState<string | null>(null);
  const [fault, setFault] = useState<PictureFault | null>(null);

  useEffect(() => {
    if (source === null) return undefined;
    return () => URL.revokeObjectURL(source);
  }, [source]);
  // What stood is put away when the dialog opens again, and not while it still closes before somebody's eyes.
  useEffect(() => {
    if (!opened) return;
    setSource(null);
    setFault(null);
  }, [opened]);

  const take = async (file: File) => {
    const wrong = await pictureFault(file);
    setFault(wrong);
    if (input.current) input.current.value = '';
    if (!wrong) setSource(URL.createObjectURL(file));
  };
  const pick = (picked: Picture) => {
    onPick(picked);
    onClose();
  };

  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={700}
      title={t('picture.title')}
      close={tc('close')}
      closeOnClickOutside={source === null}
    >
      <p className={dialog.line}>{source ? t('picture.cutHint') : t('picture.hint')}</p>
      {fault ? <Fault fault={fault} /> : null}
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURE_TYPES.join(',')}
        aria-label={t('picture.choose')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void take(file);
        }}
      />
      {source ? (
        <CropFrame
          key={source}
          source={source}
          onOther={() => setSource(null)}
          onCropped={pick}
          onUnreadable={() => {
            setFault('image_unreadable');
            setSource(null);
          }}
        />
      ) : (
        <>
          <DropButton onChoose={() => input.current?.click()} onFile={(file) => void take(file)} />
          {earlier.length > 0 ? <EarlierPictures earlier={earlier} picture={picture} onPick={pick} /> : null}
          {picture.kind === 'none' ? null : (
            <div className={dialog.acts}>
              <Button variant="default" onClick={() => pick({ kind: 'none' })}>
                {t('picture.none')}
              </Button>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

function Fault({ fault }: { fault: PictureFault }) {
  const { t } = useTranslation('events');
  return (
    <div className={styles.fault}>
      <Callout tone="fault" role="alert">
        {sayProblem(`problem.${fault}`)}
        {fault === 'payload_too_large' ? ` ${t('picture.allowed')}` : ''}
      </Callout>
    </div>
  );
}

/** Opens the choice of files, and takes one that is dropped on it. */
function DropButton({ onChoose, onFile }: { onChoose(): void; onFile(file: File): void }) {
  const { t } = useTranslation('events');
  const [over, setOver] = useState(false);
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <button
      type="button"
      data-autofocus
      className={styles.drop}
      data-over={over || undefined}
      onClick={onChoose}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconPhotoPlus size={28} stroke={1.75} aria-hidden />
      <span className={styles.dropName}>{t('picture.choose')}</span>
      <span className={styles.dropHint}>{t('picture.allowed')}</span>
    </button>
  );
}

interface EarlierPicturesProps {
  earlier: readonly EarlierPicture[];
  picture: Picture;
  onPick(picture: Picture): void;
}

function EarlierPictures({ earlier, picture, onPick }: EarlierPicturesProps) {
  const { t } = useTranslation('events');
  const chosen = picture.kind === 'stored' ? picture.ref.fileName : null;
  return (
    <>
      <h3 className={styles.heading}>{t('picture.earlier')}</h3>
      <ul className={styles.earlier}>
        {earlier.map(({ eventId, fileName, eventName }) => (
          <li key={fileName}>
            <button
              type="button"
              aria-pressed={chosen === fileName}
              onClick={() => onPick({ kind: 'stored', ref: { eventId, fileName } })}
            >
              <span className={styles.thumb}>
                <OwnPicture image={{ eventId, fileName }} seed={eventName} />
              </span>
              <span>{eventName}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Chooses the event's picture: a new one, cut to the frame by hand or keys, or one of the earlier ones. */
import { Button, Slider } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { type EarlierPicture, pictureAddress } from './events.api.ts';
import type { Picture } from './events.form.ts';
import {
  type Cut,
  cutPicture,
  cutRectangle,
  movedCut,
  PICTURE_RATIO,
  PICTURE_TYPES,
  type PictureFault,
  pictureFault,
  WHOLE,
} from './picture.ts';
import styles from './PictureDialog.module.css';

export interface PictureDialogProps {
  opened: boolean;
  onClose(): void;
  picture: Picture;
  onPick(picture: Picture): void;
  earlier: readonly EarlierPicture[];
}

const ZOOM_MAX = 4;
const STEP = 0.04;

export function PictureDialog({ opened, onClose, picture, onPick, earlier }: PictureDialogProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const input = useRef<HTMLInputElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const held = useRef<{ x: number; y: number } | null>(null);
  const [source, setSource] = useState<string | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [cut, setCut] = useState<Cut>(WHOLE);
  const [fault, setFault] = useState<PictureFault | null>(null);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    if (source === null) return undefined;
    return () => URL.revokeObjectURL(source);
  }, [source]);

  const forget = () => {
    setSource(null);
    setSize(null);
    setCut(WHOLE);
  };
  // What stood is put away when the dialog opens again, not under the eyes of who closes it.
  useEffect(() => {
    if (!opened) return;
    setSource(null);
    setSize(null);
    setCut(WHOLE);
    setFault(null);
  }, [opened]);
  const take = async (file: File) => {
    const wrong = await pictureFault(file);
    setFault(wrong);
    if (input.current) input.current.value = '';
    if (wrong) return;
    setSize(null);
    setCut(WHOLE);
    setSource(URL.createObjectURL(file));
  };
  const move = (byX: number, byY: number) => size && setCut((now) => movedCut(size.width, size.height, now, byX, byY));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!held.current) return;
    const box = event.currentTarget.getBoundingClientRect();
    move((event.clientX - held.current.x) / box.width, (event.clientY - held.current.y) / box.height);
    held.current = { x: event.clientX, y: event.clientY };
  };
  const press = (event: KeyboardEvent) => {
    const way = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[
      event.key
    ] as [number, number] | undefined;
    if (!way) return;
    event.preventDefault();
    move(...way);
  };
  const use = async () => {
    if (!image.current || !size) return;
    setBusy(true);
    try {
      const file = await cutPicture(image.current, cut);
      onPick({ kind: 'new', file, address: URL.createObjectURL(file) });
      onClose();
    } catch {
      setFault('image_unreadable');
      forget();
    } finally {
      setBusy(false);
    }
  };

  const part = size ? cutRectangle(size.width, size.height, cut) : null;
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
      {fault ? (
        <div className={styles.fault}>
          <Note tone="fault" role="alert">
            {sayProblem(`problem.${fault}`)}
            {fault === 'payload_too_large' ? ` ${t('picture.allowed')}` : ''}
          </Note>
        </div>
      ) : null}
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
        <>
          <div
            className={styles.frame}
            role="group"
            aria-label={t('picture.frame')}
            aria-busy={size === null}
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the frame is moved by the arrow keys
            tabIndex={0}
            onKeyDown={press}
            onPointerDown={(event) => {
              held.current = { x: event.clientX, y: event.clientY };
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={drag}
            onPointerUp={() => {
              held.current = null;
            }}
            onPointerCancel={() => {
              held.current = null;
            }}
          >
            <img
              ref={image}
              src={source}
              alt={t('picture.preview')}
              draggable={false}
              onLoad={(event) =>
                setSize({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })
              }
              onError={() => {
                setFault('image_unreadable');
                forget();
              }}
              style={
                part && size
                  ? {
                      width: `${(size.width / part.width) * 100}%`,
                      height: `${(size.height / part.height) * 100}%`,
                      left: `${(-part.x / part.width) * 100}%`,
                      top: `${(-part.y / part.height) * 100}%`,
                    }
                  : { visibility: 'hidden' }
              }
            />
          </div>
          <div className={styles.zoom}>
            <span>{t('picture.zoom')}</span>
            <Slider
              className={styles.slider}
              thumbLabel={t('picture.zoom')}
              label={null}
              min={1}
              max={ZOOM_MAX}
              step={0.05}
              value={cut.zoom}
              onChange={(zoom) => setCut((now) => ({ ...now, zoom }))}
            />
          </div>
          <div className={dialog.acts}>
            <Button variant="subtle" onClick={forget}>
              {t('picture.other')}
            </Button>
            <Button loading={busy} disabled={size === null} onClick={() => void use()}>
              {t('picture.use')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <button
            type="button"
            data-autofocus
            className={styles.drop}
            data-over={over || undefined}
            onClick={() => input.current?.click()}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              const file = event.dataTransfer.files[0];
              if (file) void take(file);
            }}
          >
            <IconPhotoPlus size={28} stroke={1.75} aria-hidden />
            <span className={styles.dropName}>{t('picture.choose')}</span>
            <span className={styles.dropHint}>{t('picture.allowed')}</span>
          </button>
          {earlier.length > 0 ? (
            <>
              <h3 className={styles.heading}>{t('picture.earlier')}</h3>
              <ul className={styles.earlier}>
                {earlier.map(({ eventId, fileName, eventName }) => (
                  <li key={fileName}>
                    <button
                      type="button"
                      aria-pressed={picture.kind === 'stored' && picture.ref.fileName === fileName}
                      onClick={() => {
                        onPick({ kind: 'stored', ref: { eventId, fileName } });
                        onClose();
                      }}
                    >
                      <img
                        src={pictureAddress(eventId, fileName)}
                        alt=""
                        loading="lazy"
                        width={16 * 12}
                        height={(16 * 12) / PICTURE_RATIO}
                      />
                      <span>{eventName}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </>
          ) : null}
          {picture.kind === 'none' ? null : (
            <div className={dialog.acts}>
              <Button
                variant="default"
                onClick={() => {
                  onPick({ kind: 'none' });
                  onClose();
                }}
              >
                {t('picture.none')}
              </Button>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

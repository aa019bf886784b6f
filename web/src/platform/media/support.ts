/** Whether this browser can take part in video at all: some old ones and some inside other apps have no WebRTC. */
export const hasWebRtc = (): boolean => 'RTCPeerConnection' in window;
/** Whether the page can choose the speaker; in some browsers only the system can. */
export const choosesSpeaker = (): boolean => 'setSinkId' in HTMLMediaElement.prototype;

// SPDX-License-Identifier: Apache-2.0
// camera.mjs - frames of a camera, one after another, as fast as each is answered.

const WINDOW = 20; // frames over which their number per second is taken

export class Camera {
  static isThere = () => Boolean(navigator.mediaDevices?.getUserMedia);

  // answer(video) resolves when a frame is done; tell(perSecond) is called after each. Resolves when the camera is stopped.
  async run(answer, tell) {
    this.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 640 } } });
    const video = Object.assign(document.createElement('video'), { srcObject: this.stream, muted: true, playsInline: true });
    const times = [];
    try {
      await video.play();
      while (this.stream.active && !this.isStopped) {
        await answer(video);
        times.push(performance.now());
        if (times.length > WINDOW)
          times.shift();
        if (times.length > 1)
          tell(1000 * (times.length - 1) / (times.at(-1) - times[0]));
      }
    } finally {
      this.stop();
      video.srcObject = null;
    }
  }

  stop() {
    this.isStopped = true;
    this.stream?.getTracks().forEach(track => track.stop());
  }
}

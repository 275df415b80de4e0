import { HeedError, loadModel, type Model } from 'heed'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

function useModel(): Model | undefined {
  const [model, setModel] = useState<Model>()
  useEffect(() => {
    const controller = new AbortController()
    const loading = loadModel(undefined, { signal: controller.signal })
    loading.then(setModel, (error: unknown) => {
      if (!(error instanceof HeedError && error.code === 'aborted')) throw error
    })
    return () => {
      controller.abort()
      loading.then(
        model => model.dispose(),
        () => {},
      )
    }
  }, [])
  return model
}

function Storyteller() {
  const model = useModel()
  const [story, setStory] = useState('')
  useEffect(() => {
    if (!model) return
    model
      .chat([{ role: 'user', content: 'Write a story about a fox and a lantern.' }], { seed: 7 })
      .then(({ message }) => setStory(message.content))
  }, [model])
  return (
    <>
      <p id="story" style={{ whiteSpace: 'pre-wrap' }}>
        {story}
      </p>
      <p>
        Threads: <output id="threads">{model?.info.threads}</output>
      </p>
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Storyteller />
  </StrictMode>,
)

package cluster

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"k8s.io/client-go/rest"

	"rollcall.dev/rollcall/framework/limit"
)

// dialTimeout bounds the TCP handshake: an address that swallows packets must
// not look like a slow API server.
const dialTimeout = 5 * time.Second

// limitCalls gives every call a time limit, except a watch and a followed log,
// which last as long as they are wanted. rest.Config.Timeout would end those too.
func limitCalls(config *rest.Config, clock *clock) {
	config.Dial = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &limitedTransport{next: next, limit: limit.Call.For, clock: clock}
	})
}

type limitedTransport struct {
	next  http.RoundTripper
	limit time.Duration
	clock *clock
}

// RoundTrip implements http.RoundTripper.
func (t *limitedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	if query.Get("watch") == "true" || query.Get("follow") == "true" {
		return t.next.RoundTrip(request)
	}
	asked := time.Now()
	ctx, cancel := context.WithTimeout(request.Context(), t.limit)
	response, err := t.next.RoundTrip(request.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	t.clock.hear(response, asked)
	response.Body = &limitedBody{ReadCloser: response.Body, cancel: cancel}
	return response, nil
}

// WrappedRoundTripper lets client-go see through to the transport beneath.
func (t *limitedTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// limitedBody keeps the time limit running until the answer has been read.
type limitedBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close implements io.Closer.
func (b *limitedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

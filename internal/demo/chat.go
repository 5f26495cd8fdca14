// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"sync"
)

const (
	chatHost = "chat.corp.test"
	postPath = "/api/chat.postMessage"
)

// A chat is a chat server. As such servers do, it looks for links in what is
// posted and fetches them, so that readers see a preview. Nobody has to click
// for that: posting is enough.
type chat struct {
	client *http.Client

	mu    sync.Mutex
	posts []post
}

type post struct {
	Channel     string `json:"channel"`
	LinkPreview bool   `json:"link_preview"`
	Text        string `json:"text"`
}

type posted struct {
	ID       string    `json:"id"`
	Previews []preview `json:"previews,omitempty"`
}

type preview struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

func (c *chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var p post
	if r.Method != http.MethodPost || r.URL.Path != postPath {
		http.NotFound(w, r)
		return
	}
	if !take(w, r, &p) {
		return
	}
	c.mu.Lock()
	c.posts = append(c.posts, p)
	c.mu.Unlock()
	done := posted{ID: "in " + p.Channel}
	if p.LinkPreview {
		for _, url := range linkIn.FindAllString(p.Text, -1) {
			done.Previews = append(done.Previews, preview{URL: url, Title: c.title(r.Context(), url)})
		}
	}
	give(w, done)
}

var titleIn = regexp.MustCompile(`<title>([^<]*)</title>`)

// title fetches a page and returns its title. A page that cannot be fetched
// has none: the message is posted all the same.
func (c *chat) title(ctx context.Context, url string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return ""
	}
	response, err := c.client.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	page, _ := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if m := titleIn.FindSubmatch(page); m != nil {
		return string(m[1])
	}
	return ""
}

// texts returns what was posted.
func (c *chat) texts() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for _, p := range c.posts {
		out = append(out, p.Text)
	}
	return out
}

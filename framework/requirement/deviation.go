package requirement

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
)

// Deviation is a known way in which releases depart from a requirement. A
// cluster of such a release that shows it gets the verdict waived.
type Deviation struct {
	// ID names the deviation, such as KD-1.
	ID string
	// Seen is what the releases do instead, as a sentence.
	Seen string
	// Since and Until bound the minor versions that do so; both are inclusive. An
	// empty Since is no bound. Until is the newest one that was looked at, so
	// that a waiver ends with the next.
	Since, Until string
	// Link is where the deviation is reported or can be read.
	Link string
}

// AppliesTo reports whether the deviation is known of a release. The version is
// that of the API server.
func (d Deviation) AppliesTo(server *version.Version) bool {
	within, _ := Requirement{Since: d.Since, Until: d.Until}.AppliesTo(server)
	return within
}

// String tells the deviation in a line.
func (d Deviation) String() string {
	return fmt.Sprintf("%s (%s): %s %s", d.ID, releases(Requirement{Since: d.Since, Until: d.Until}), d.Seen, d.Link)
}

func (d Deviation) validate() error {
	if d.ID == "" || d.Seen == "" || d.Link == "" || d.Until == "" {
		return fmt.Errorf("deviation %q lacks its ID, what is seen, a link or the release with which it ends", d.ID)
	}
	return errors.Join(bounds(d.ID, d.Since, d.Until)...)
}
